"""What all test folders share: hypothesis measures no time, since machines that test are busy."""

from hypothesis import settings

settings.register_profile("memarena", deadline=None)
settings.load_profile("memarena")
