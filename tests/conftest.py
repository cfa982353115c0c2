"""For all tests: nothing is announced or looked for in the network that this machine is in."""

import os

import pytest

os.environ["COSMIC_NET_INTERFACES"] = "none"

#: Whole games against the clock (cuts, floods, absent players): they need a quiet machine, and run with `make soak`.
AGAINST_THE_CLOCK = (
    "client/test_comings.py",
    "host/test_absent.py",
    "host/test_abuse.py",
    "net/test_bad_networks.py",
    "soak/test_party.py",
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests against the clock as `soak`."""
    for item in items:
        if item.path.as_posix().endswith(AGAINST_THE_CLOCK):
            item.add_marker(pytest.mark.soak)
