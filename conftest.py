"""What all test folders share.

Hypothesis measures no time, since machines that test are busy. Ctrl-C works also where the tests were started in the
background, which leaves it ignored for every child.
"""

import signal

from hypothesis import HealthCheck, settings

settings.register_profile("memarena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("memarena")
pytest_plugins = ["memarena.testing.plugin"]
signal.signal(signal.SIGINT, signal.default_int_handler)
