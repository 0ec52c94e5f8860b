"""The pages about the package and about the gym, as a reader pastes their Python."""

import re
import warnings
from pathlib import Path

import pytest

from agentd.gym import Server

DOCS = Path(__file__).parents[3] / "docs"


def pasted(page: str) -> str:
    """The Python of a page."""
    blocks = re.findall(r"^```python\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 2
    return "\n".join(blocks)


def test_the_page_about_the_package(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(db.parent)
    exec(compile(pasted("python.md"), "python.md", "exec"), {})


def test_the_page_about_the_gym(server: Server) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # of OpenEnv
        exec(compile(pasted("gym.md").replace("http://127.0.0.1:8000", server.address), "gym.md", "exec"), {})
