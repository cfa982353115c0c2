"""No frame does anything to a host but get an answer: a number of them, found by what they reach."""

from __future__ import annotations

import json
import logging
import os
import time
from pathlib import Path

import pytest

from tests.soak.fuzzing import fuzz, seeds

INPUTS = int(os.environ.get("FUZZ_INPUTS", "100000"))


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    """What a host notes about bad frames is not worth keeping here."""
    caplog.set_level(logging.ERROR)


async def test_a_few_frames_do_no_harm(tmp_path: Path):
    found = await fuzz(tmp_path, 300, seed=1)
    assert found["corpus"] > len(seeds())


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 6))
async def test_very_many_frames_do_no_harm(tmp_path: Path, seed: int):
    began = time.monotonic()
    found = await fuzz(tmp_path, INPUTS // 4, seed)
    print(json.dumps(found | {"seconds": round(time.monotonic() - began)}))
