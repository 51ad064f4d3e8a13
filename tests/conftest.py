"""Settings for every test."""

from __future__ import annotations

from hypothesis import settings

# The first example of a kernel test compiles it, so no deadline; the same examples in every run, so that a
# failure is one of the change under test.
settings.register_profile("lens_env", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("lens_env")
