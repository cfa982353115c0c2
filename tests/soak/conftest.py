"""The hall of the hosts' tests is a place for long runs, too."""

from tests.host.conftest import hall

__all__ = ["hall"]
