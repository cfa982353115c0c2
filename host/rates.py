"""A token bucket: so many at once, and so many a second after that."""

from __future__ import annotations

from collections import OrderedDict

MOST_BUCKETS = 512


class Bucket:
    """Starts full. Times are in seconds of any clock that only goes forward."""

    def __init__(self, per_second: float, most: float) -> None:
        self._rate = per_second
        self._most = most
        self._level = most
        self._at: float | None = None

    def take(self, now: float) -> bool:
        """Takes one token; False if there is none."""
        if self._at is not None:
            self._level = min(self._most, self._level + (now - self._at) * self._rate)
        self._at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True

    def give_back(self) -> None:
        """Puts one token back."""
        self._level = min(self._most, self._level + 1)


class Buckets:
    """A bucket for everybody who comes; of too many, those who have not come for longest are forgotten."""

    def __init__(self, per_second: float, most: float) -> None:
        self._rate = per_second
        self._most = most
        self._buckets: OrderedDict[bytes, Bucket] = OrderedDict()

    def take(self, who: bytes, now: float) -> bool:
        """Takes a token of this one; False if there is none."""
        bucket = self._buckets.get(who)
        if bucket is None:
            bucket = self._buckets[who] = Bucket(self._rate, self._most)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(who)
        return bucket.take(now)
