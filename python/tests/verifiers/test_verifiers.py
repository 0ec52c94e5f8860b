"""The tasksets in verifiers: what vf-validate and vf-eval say of exact answers, of refusals, and of doing nothing."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# verifiers keeps what it makes in the user's cache: here that of the virtual environment.
HOME = Path(sys.prefix, "home")
os.environ |= {"HOME": str(HOME), "UV_CACHE_DIR": str(HOME / ".cache" / "uv"), "KEY_OF_STANDIN": "none"}

from verifiers.v1.cli.eval.main import main as vf_eval  # noqa: E402
from verifiers.v1.cli.validate import main as vf_validate  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")  # of verifiers itself

TASKS = {"domains": '["accounting"]', "round-trips": "1"}
# The conversation alone, on this machine, and no upload.
HERE = ["--env.agent.harness.id", "null", "--env.agent.runtime.type", "subprocess", "--no-push", "--no-rich"]


def options(prefix: str) -> list[str]:
    return [word for name, value in TASKS.items() for word in (f"--{prefix}.{name}", value)]


def read(folder: Path, name: str) -> list[dict[str, Any]]:
    """The lines of the one run in the folder."""
    [file] = folder.glob(f"*/{name}")
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.parametrize("taskset", ["agentd-edits", "agentd-relays"])
def test_the_exact_program_passes_and_doing_nothing_does_not(taskset: str, tmp_path: Path) -> None:
    vf_validate([taskset, "-n", "4", *options("taskset"), "--runtime.type", "subprocess", "--no-rich", "-o", str(tmp_path)])
    results = read(tmp_path, "results.jsonl")
    assert results and all(result["gold"]["valid"] and result["noop"]["valid"] for result in results)


@pytest.mark.parametrize(("model", "earned"), [("sim:perfect", 1), ("sim:refuse", 0)])
@pytest.mark.parametrize(("taskset", "asked"), [("agentd-edits", 1), ("agentd-relays", 2)])
def test_exact_answers_earn_all_and_refusals_nothing(
    taskset: str, asked: int, model: str, earned: float, standin: str, tmp_path: Path
) -> None:
    client = ["--client.base-url", standin, "--client.api-key-var", "KEY_OF_STANDIN", "-m", model]
    vf_eval([taskset, "-n", "1", *options("env.taskset"), *HERE, *client, "-o", str(tmp_path)])
    [episode] = read(tmp_path, "traces.jsonl")
    assert episode["ok"] and not episode["errors"]
    assert len(episode["traces"]) == asked and all(len(trace["nodes"]) == 2 for trace in episode["traces"])
    assert sum(trace["rewards"]["edited"]["score"] for trace in episode["traces"]) == pytest.approx(earned)


def test_what_the_trainers_page_shows(standin: str, tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "tutorials" / "trainer.md").read_text()
    [commands] = re.findall(r"<!-- not run: python/tests/verifiers runs it.* -->\n```sh\n(.*?)```", page, re.DOTALL)
    here = commands.replace("http://127.0.0.1:8091/v1", standin)
    assert here != commands
    done = subprocess.run(["bash", "-e", "-c", here], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [file] = tmp_path.glob("outputs/*/traces.jsonl")
    episodes = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(episodes) == 2 and all(episode["ok"] for episode in episodes)
