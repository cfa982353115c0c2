"""`make wheelhouse`: fetches every wheel that the program needs on a set of systems, to install it without internet.

What is fetched is what requirements.lock names, with its hashes. pip can fetch for other systems, but decides by the
one that it runs on which lines of the lock file apply; so that is decided here.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from packaging.markers import Marker

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "requirements.lock"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
_LINE = re.compile(r"(?P<what>[^\s;]+)(?: ; (?P<marker>.*?))?(?P<hashes> \\\n.*)", re.DOTALL)


class System(NamedTuple):
    """A kind of computer: what it is called, the names that wheels have for it, and what markers ask for."""

    name: str
    platforms: tuple[str, ...]
    sys_platform: str
    machine: str


SYSTEMS = (
    System("Windows, x86-64", ("win_amd64",), "win32", "AMD64"),
    System("macOS 11 or newer, Apple silicon", ("macosx_11_0_arm64",), "darwin", "arm64"),
    System("macOS 11 or newer, Intel", ("macosx_11_0_x86_64",), "darwin", "x86_64"),
    System(
        "Linux, x86-64", ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"), "linux", "x86_64"
    ),
    System(
        "Linux, ARM64",
        ("manylinux_2_28_aarch64", "manylinux_2_17_aarch64", "manylinux2014_aarch64"),
        "linux",
        "aarch64",
    ),
)


def requirements(lock: str, system: System, python: str) -> str:
    """The lines of a lock file that apply to a system and a Python, without their markers."""
    environment = {
        "implementation_name": "cpython",
        "os_name": "nt" if system.sys_platform == "win32" else "posix",
        "platform_machine": system.machine,
        "platform_python_implementation": "CPython",
        "platform_system": {"win32": "Windows", "darwin": "Darwin"}.get(system.sys_platform, "Linux"),
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": system.sys_platform,
    }
    applying = []
    for block in re.split(r"\n(?=\S)", lock):
        if (found := _LINE.match(block)) is None:
            continue
        if found["marker"] is None or Marker(found["marker"]).evaluate(environment):
            applying.append(found["what"] + found["hashes"])
    return "\n".join(applying) + "\n"


def fetch(house: Path, system: System, python: str) -> None:
    """Fetches what one system and one Python need. Raises CalledProcessError if anything is not to be had."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "requirements.txt"
        wanted.write_text(requirements(LOCK.read_text(encoding="utf-8"), system, python), encoding="utf-8")
        command = [*PIP, "download", "--no-deps", "--require-hashes", "--only-binary=:all:"]
        command += [word for platform in system.platforms for word in ("--platform", platform)]
        command += ["--implementation", "cp", "--python-version", python, "--dest", str(house), "-r", str(wanted)]
        subprocess.run(command, check=True)


def build(house: Path) -> None:
    """Adds the program's own wheel. What builds it has been installed from the lock file."""
    command = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(house), str(ROOT)]
    subprocess.run(command, check=True)


def main(house: Path) -> None:
    """Fills a folder, which is made anew."""
    shutil.rmtree(house, ignore_errors=True)
    house.mkdir(parents=True)
    for system in SYSTEMS:
        for python in PYTHONS:
            print(f"{system.name}: Python {python} ...", flush=True)
            fetch(house, system, python)
    build(house)
    wheels = list(house.glob("*.whl"))
    size = sum(wheel.stat().st_size for wheel in wheels)
    print(f"{house.name}: {len(wheels)} wheels, {size / 2**20:.0f} MiB. On another computer:")
    print(f"  python3 -m pip install --no-index --find-links {house.name} cosmic-net")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except subprocess.CalledProcessError as error:
        sys.exit(f"the wheelhouse is not complete: pip has failed ({error.returncode})")
