"""For all tests: nothing is announced or looked for in the network that this machine is in."""

import os

import pytest

os.environ["COSMIC_NET_INTERFACES"] = "none"

#: Cuts, floods, absent players, slow networks: what is proved has to come in time. They run one after another, first.
AGAINST_THE_CLOCK = (
    "client/test_comings.py",
    "host/test_absent.py",
    "host/test_abuse.py",
    "net/test_bad_networks.py",
    "net/test_moving.py",
    "soak/test_party.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the tests against the clock first, and in one group: `--dist loadgroup` gives a group to one worker."""
    hurried = [item for item in items if item.path.as_posix().endswith(AGAINST_THE_CLOCK)]
    for item in hurried:
        item.add_marker(pytest.mark.xdist_group("clock"))
    items[:] = hurried + [item for item in items if item not in set(hurried)]
