"""The instruments that every rig carries, outer to inner: trace 10, tokens 20, timing 30, boundary 100.

An instrument is a class with an integer `layer` and `@hookimpl(wrapper=True)` methods named like the adapter's. Its
optional `attach(rig)` is called when it is mounted. It can observe, delay, fail and replace results.
"""
