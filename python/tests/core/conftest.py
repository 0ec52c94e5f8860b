"""One small experiment and one gym for all tests."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import agentd
from agentd.gym import Server


@pytest.fixture(scope="session")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of two stand-ins on five environments, two round trips each."""
    folder = tmp_path_factory.mktemp("experiment")
    subprocess.run(
        [agentd.program(), "run", "--model", "sim:weak,sim:frontier", "--policy", "direct", "--round-trips", "2",
         "--env", "accounting1,json1,subtitles1,dns1,spreadsheet1", "--name", "small"],
        cwd=folder,
        check=True,
        capture_output=True,
        env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip
    return folder / "agentd.db"


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A gym with the first environment of each domain."""
    with Server(arguments=["--env", "*1"]) as server:
        yield server
