"""One small experiment for all tests."""

import os
import subprocess
from pathlib import Path

import pytest

import agentd


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
