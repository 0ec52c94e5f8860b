"""The wheel that these tests run from, and those of other systems."""

import base64
import csv
import hashlib
import os
import stat
import subprocess
import zipfile
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2]
WHEEL = Path(os.environ["WHEEL"])  # test/scripts/test-python.sh has built it
PROGRAM = f"agentd-{WHEEL.name.split('-')[1]}.data/scripts/agentd"


def test_the_record_is_right_and_the_program_can_be_run() -> None:
    with zipfile.ZipFile(WHEEL) as wheel:
        assert wheel.testzip() is None
        [record] = [name for name in wheel.namelist() if name.endswith(".dist-info/RECORD")]
        rows = list(csv.reader(wheel.read(record).decode().splitlines()))
        assert sorted(name for name, _, _ in rows) == sorted(wheel.namelist())
        for name, digest, size in rows:
            if name == record:
                continue
            content = wheel.read(name)
            assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert int(size) == len(content)
        mode = stat.S_IMODE(wheel.getinfo(PROGRAM).external_attr >> 16)
        assert mode == 0o755
        assert {"agentd/__init__.py", "agentd/py.typed", "agentd_edits.py", "agentd_relays.py"} <= set(wheel.namelist())


def built(target: str, program: bytes, folder: Path) -> "subprocess.CompletedProcess[str]":
    """A wheel of a program for a system."""
    (folder / "program").write_bytes(program)
    return subprocess.run(
        [SOURCES / ".venv/build/bin/python", "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=SOURCES, env={**os.environ, "AGENTD_PROGRAM": str(folder / "program"), "AGENTD_TARGET": target}, capture_output=True, text=True,
    )  # fmt: skip


# The first 20 bytes of agentd, built for each.
BEGINS = {
    "manylinux_2_17_x86_64": ("linux/amd64", "7f454c4602010100000000000000000002003e00"),
    "manylinux_2_17_aarch64": ("linux/arm64", "7f454c460201010000000000000000000200b700"),
    "macosx_12_0_x86_64": ("darwin/amd64", "cffaedfe07000001030000000200000010000000"),
    "macosx_12_0_arm64": ("darwin/arm64", "cffaedfe0c000001000000000200000010000000"),
}


@pytest.mark.parametrize("tag", BEGINS)
def test_a_wheel_is_for_the_system_of_its_program(tag: str, tmp_path: Path) -> None:
    target, begins = BEGINS[tag]
    done = built(target, bytes.fromhex(begins), tmp_path)
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.stem.endswith(f"-py3-none-{tag}")
    with zipfile.ZipFile(wheel) as opened:
        assert f"Tag: py3-none-{tag}" in opened.read(PROGRAM.split(".data")[0] + ".dist-info/WHEEL").decode()


def test_the_program_of_another_system_is_refused(tmp_path: Path) -> None:
    done = built("darwin/arm64", bytes.fromhex(BEGINS["macosx_12_0_x86_64"][1]), tmp_path)
    assert done.returncode != 0 and "is no program for darwin/arm64" in done.stderr
    assert not list(tmp_path.glob("*.whl"))
