"""Relays in Inspect have the scores that agentd gives for the same answers."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog

from agentd._program import program
from agentd.gym import Gym
from agentd.inspect import relay

pytestmark = pytest.mark.filterwarnings("default")  # of Inspect itself

ENVIRONMENT, ROUND_TRIPS = "accounting1", 3


def inspected(standin: str, model: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> EvalLog:
    """Inspect's log of a relay with a stand-in."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    [log] = eval(
        relay(domains="accounting", environments=ENVIRONMENT, round_trips=ROUND_TRIPS),
        model=f"openai/sim:{model}",
        model_base_url=standin,
        model_args={"responses_api": False},
        log_dir=str(folder),
        display="none",
    )
    assert log.status == "success"
    return log


def ran(standin: str, model: str, folder: Path) -> list[dict[str, Any]]:
    """The interactions of the same relay, as `agentd run` stores them."""
    with Gym(domains=["accounting"]) as gym:
        step = gym.reset(env=ENVIRONMENT, round_trips=ROUND_TRIPS, seed=1)
        edits = []
        while not step.done:
            step = gym.answer("no files")
            assert step.grade
            edits.append(step.grade.edit)
    store = str(folder / "store.db")
    arm = ["--model", f"sim:{model}", "--base-url", standin, "--policy", "direct", "--env", ENVIRONMENT]
    how = ["--protocol", "clean", "--schedule", ",".join(edits[::2]), "--round-trips", str(ROUND_TRIPS), "--seed", "1"]
    subprocess.run([str(program()), "run", *arm, *how, "--db", store, "--name", "x"], check=False, capture_output=True)
    rows = subprocess.run([str(program()), "export", "--db", store, "--name", "x"], check=True, capture_output=True).stdout
    return [json.loads(row) for row in rows.splitlines()]


@pytest.mark.parametrize("model", ["perfect", "weak", "echo", "refuse"])
def test_scores_are_those_of_a_run(model: str, standin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ran(standin, model, tmp_path)
    assert len(rows) == 2 * ROUND_TRIPS
    [sample] = inspected(standin, model, tmp_path, monkeypatch).samples or []
    scores = sample.scores or {}
    for name, column in {"rs": "rs", "strict": "strict", "forward": "forward"}.items():
        assert (scores[name].metadata or {})["by_interaction"] == [row[column] for row in rows], name
    executed = [row["executed"] for row in rows]
    assert executed[::2] == [model in ("perfect", "weak")] * ROUND_TRIPS
    if model in ("perfect", "weak"):
        assert scores["no_ops_zero"].value == scores["rs"].value
        assert (scores["rs"].value == 1) == (model == "perfect")
    else:
        assert scores["no_ops_zero"].value == 0


def test_domains_and_environments_choose_the_samples() -> None:
    assert [sample.metadata["domain"] for sample in relay(domains=["accounting", "calendar"]).dataset if sample.metadata] == [
        "accounting",
        "accounting",
        "calendar",
        "calendar",
    ]
    with pytest.raises(ValueError, match="no environment has domains nothing"):
        relay(domains="nothing")
