"""Settings for every test."""

from __future__ import annotations

import pytest
from hypothesis import settings

# The first example of a kernel test compiles it, so no deadline; the same examples in every run, so that a
# failure is one of the change under test.
settings.register_profile("lens_env", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("lens_env")

# Files that take long for one process begin first, so that none is left alone with one at the end.
FIRST = ("test_readme.py", "test_rule_change.py", "exact/test_values.py", "exact/test_storm.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests by file, those of ``FIRST`` first; all others stay in their order."""

    def place(item: pytest.Item) -> int:
        return next((i for i, name in enumerate(FIRST) if item.path.as_posix().endswith(name)), len(FIRST))

    items.sort(key=place)
