"""The instruments: trace 10, tokens 20, timing 30, boundary 100, outer to inner, around every adapter; others by name.

An instrument is a class with an integer `layer` and `@hookimpl(wrapper=True)` methods named like the adapter's. Its
optional `attach(rig)` is called when it is mounted, its optional `write(folder)` when its cell has ended. It can
observe, delay, fail and replace results.
"""
