"""What agentd writes for Harbor: its trajectories and tasks, read by Harbor's own models."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("harbor", reason="Harbor needs Python 3.12")

from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import resolve_verifier_environment_definition
from harbor.models.trajectories import Trajectory

PROGRAM = shutil.which("agentd", path=str(Path(sys.executable).parent) + os.pathsep + os.environ["PATH"])


def agentd(*args: str, cwd: Path) -> str:
    assert PROGRAM, "agentd is not on the path"
    done = subprocess.run([PROGRAM, *args], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the trajectories of an exact stand-in, in fresh and in carried conversations."""
    folder = tmp_path_factory.mktemp("runs")
    common = ["--model", "sim:perfect", "--env", "accounting1,subtitles1", "--round-trips", "2", "--trace", "full", "--db", "r.db"]
    agentd("run", *common, "--policy", "agentic,direct,verify(direct),oracle", "--name", "fresh", cwd=folder)
    agentd("run", *common, "--policy", "agentic", "--name", "carried", "--conversation", "carried", cwd=folder)
    for name in ("fresh", "carried"):
        for layout in ("atif", "sft"):
            agentd("export", "--layout", layout, "--db", "r.db", "--name", name, "--out", f"{name}.{layout}", cwd=folder)
    return folder


def test_every_trajectory_is_valid(runs: Path) -> None:
    fresh = [Trajectory.model_validate_json(line) for line in (runs / "fresh.atif").read_text().splitlines()]
    # Two environments, four interactions each, of each policy with a model.
    assert sorted({t.agent.name for t in fresh}) == ["agentic", "direct", "verify(direct)"]
    assert len(fresh) == 3 * 2 * 4
    for t in fresh:
        assert t.schema_version == "ATIF-v1.8" and t.notes is None
        agent = [s for s in t.steps if s.source == "agent"]
        assert agent and all(s.metrics and s.metrics.prompt_tokens for s in agent)
        assert t.final_metrics and t.final_metrics.total_prompt_tokens == sum(s.metrics.prompt_tokens or 0 for s in agent if s.metrics)
        for s in agent:
            answered = {r.source_call_id for r in (s.observation.results if s.observation else [])}
            assert answered == {c.tool_call_id for c in s.tool_calls or []}
            offered = {d["function"]["name"] for d in t.agent.tool_definitions or []}
            assert {c.function_name for c in s.tool_calls or []} <= offered
    assert len({t.trajectory_id for t in fresh}) == len(fresh)
    assert len({t.session_id for t in fresh}) == 3 * 2


def test_what_a_conversation_repeats_is_marked(runs: Path) -> None:
    carried = [Trajectory.model_validate_json(line) for line in (runs / "carried.atif").read_text().splitlines()]
    by_session: dict[str | None, list[Trajectory]] = {}
    for t in carried:
        by_session.setdefault(t.session_id, []).append(t)
    for relay in by_session.values():
        before = 0
        for t in relay:
            assert sum(bool(s.is_copied_context) for s in t.steps) == before
            before = len(t.steps)


def test_conversations_are_chat_completions(runs: Path) -> None:
    lines = [json.loads(line) for line in (runs / "fresh.sft").read_text().splitlines()]
    # The exact stand-in is exact: a conversation of each interaction, and one of each second look.
    assert len(lines) == (1 + 1 + 2) * 2 * 4
    for line in lines:
        roles = [m["role"] for m in line["messages"]]
        assert roles[-1] == "assistant" and set(roles) <= {"system", "user", "assistant", "tool"}
        calls = [c for m in line["messages"] for c in m.get("tool_calls", [])]
        assert {c["function"]["name"] for c in calls} <= {t["function"]["name"] for t in line["tools"]}
        for call in calls:
            json.loads(call["function"]["arguments"])


def test_every_task_is_valid(tmp_path: Path) -> None:
    agentd("export", "--layout", "harbor", "--round-trips", "1", "--out", "tasks", cwd=tmp_path)
    folders = sorted((tmp_path / "tasks").iterdir())
    assert len(folders) > 50
    for folder in folders:
        task = Task(folder)  # raises if anything in it is not as it should be
        assert task.name == f"agentd/{folder.name}"
        steps = task.config.steps or []
        assert [s.name.rsplit("-", 1)[1] for s in steps] == ["forward", "backward"]
        for step in steps:
            definition = resolve_verifier_environment_definition(task.config, task.paths, step, validate_inputs=False)
            assert definition and definition.bundled_tests and definition.directory == task.paths.tests_dir
            assert task.step_instruction(step.name)
            assert task.paths.discovered_step_solve_path_for(step.name, None)


def nothing(_: Path, __: Path, ___: str) -> None:
    """Leaves everything as it is."""


def solve(task: Path, work: Path, step: str) -> None:
    script = task / "steps" / step / "solution" / "solve.sh"
    subprocess.run(["sh", str(script)], env={**os.environ, "WORK": str(work)}, check=True)


def junk(_: Path, work: Path, step: str) -> None:
    """Puts a file of the name that is asked for next to the document, and takes it away again."""
    if step.endswith("forward"):
        (work / "journal.csv").write_text("nothing\n")
    else:
        (work / "journal.csv").unlink()


def solve_alone(task: Path, work: Path, step: str) -> None:
    """Solves the step and deletes every other file."""
    solve(task, work, step)
    wanted = {p.name for p in (task / "steps" / step / "solution" / "documents").iterdir()}
    for file in work.iterdir():
        if file.name not in wanted:
            file.unlink()


@pytest.mark.parametrize(
    ("agent", "reward"),
    [(solve, 1.0), (nothing, 0.0), (junk, 0.0), (solve_alone, 0.0)],
)
def test_a_relay_is_rewarded_by_its_steps(agent: Callable[[Path, Path, str], None], reward: float, tmp_path: Path) -> None:
    """Plays the steps of a task as Harbor does, in folders in place of containers."""
    agentd("export", "--layout", "harbor", "--env", "accounting1", "--round-trips", "2", "--out", "tasks", cwd=tmp_path)
    folder = tmp_path / "tasks" / "accounting1"
    task = Task(folder)
    work, before, rewards = tmp_path / "work", tmp_path / "before", tmp_path / "rewards"
    shutil.copytree(folder / "environment" / "work", work)
    assert PROGRAM
    path = str(Path(PROGRAM).parent) + os.pathsep + os.environ["PATH"]
    for step in task.config.steps or []:
        if agent is junk and "csv_journal" not in step.name:
            continue
        shutil.rmtree(before, ignore_errors=True)
        shutil.copytree(work, before)
        agent(folder, work, step.name)
        places = {"WORK": str(work), "BEFORE": str(before), "REWARDS": str(rewards), "PATH": path}
        subprocess.run(["sh", str(folder / "tests" / "test.sh")], env={**os.environ, **places, **step.verifier.env}, check=True)
        got = json.loads((rewards / "reward.json").read_text())
        assert all(isinstance(value, float) and 0 <= value <= 1 for value in got.values())
        assert got["reward"] == reward, (step.name, got)


def test_without_what_the_step_began_with_there_is_no_reward(tmp_path: Path) -> None:
    agentd("export", "--layout", "harbor", "--env", "accounting1", "--round-trips", "1", "--out", "tasks", cwd=tmp_path)
    script = tmp_path / "tasks" / "accounting1" / "tests" / "test.sh"
    places = {"WORK": str(tmp_path / "work"), "BEFORE": str(tmp_path / "before"), "REWARDS": str(tmp_path / "rewards")}
    done = subprocess.run(["sh", str(script)], env={**os.environ, **places, "AGENTD_EDIT": "csv_journal", "AGENTD_DIRECTION": "forward"}, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "the collect hook did not run" in done.stderr
    assert not (tmp_path / "rewards" / "reward.json").exists()
