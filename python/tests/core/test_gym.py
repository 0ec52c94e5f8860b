"""Episodes: the client against a gym that it started."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

pytest.importorskip("websockets")

from agentd.gym import AsyncGym, Gym, GymError, Server  # noqa: E402

ENV, EDIT = "accounting1", "split_by_claimant"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(domains=["accounting"]) as server:
        yield server


@pytest.fixture
def gym(server: Server) -> Iterator[Gym]:
    with Gym(server.address) as gym:
        yield gym


def test_an_interaction_ends_with_its_answer(gym: Gym) -> None:
    step = gym.reset(env=ENV, edit=EDIT, direction="forward")
    seen = step.observation
    assert (step.reward, step.done, step.grade) == (None, False, None)
    assert set(seen.documents) == set(seen.files) and seen.targets and seen.instruction and not seen.prompt
    step = gym.answer(files=seen.documents)
    assert step.done and step.reward == 0 and step.grade and not step.grade.done and step.grade.failure


def test_tools_are_called_until_finish(gym: Gym) -> None:
    seen = gym.reset(env=ENV, edit=EDIT, direction="forward").observation
    assert "finish" in [tool.name for tool in gym.step({"type": "list_tools"}).observation.tools]
    assert gym.call("read_file", path=seen.files[0]).observation.result == seen.documents[seen.files[0]]
    assert gym.call("read_file", path="none").observation.failed
    assert gym.state().step_count == 3
    step = gym.call("finish")
    while not step.done:  # the first one says what is missing
        step = gym.call("finish")
    assert step.reward == 0


def test_a_relay_has_an_observation_for_each_interaction(gym: Gym) -> None:
    step = gym.reset(env=ENV, round_trips=2, seed=1, prompt=True)
    prompts, rewards = [], []
    while not step.done:
        prompts.append(step.observation.prompt)
        step = gym.answer("no files")
        rewards.append(step.reward)
    assert len(prompts) == 4 and all(prompts) and rewards == [0, 0, 0, 0]
    assert step.grade and step.grade.direction == "backward" and step.grade.rs_noops_zero == 0


def test_errors_are_the_servers(gym: Gym) -> None:
    with pytest.raises(GymError, match="no task") as failed:
        gym.reset(env="nowhere")
    assert failed.value.code == "VALIDATION_ERROR"
    with pytest.raises(ValueError, match="either a text or files"):
        gym.answer()
    gym.reset(env=ENV)


def test_sessions_are_apart_and_asyncio_works(server: Server) -> None:
    async def play(seed: int) -> str:
        async with AsyncGym(server.address) as gym:
            first = await gym.reset(domain="accounting", seed=seed)
            assert (await gym.state()).episode_id == first.metadata["episode_id"]
            return first.observation.instruction

    async def both() -> list[str]:
        return await asyncio.gather(*(play(seed) for seed in range(8)))

    assert len(set(asyncio.run(both()))) > 1


def test_a_server_lists_its_tasks(server: Server) -> None:
    tasks = server.tasks("train") + server.tasks("test")
    assert {task.domain for task in tasks} == {"accounting"} and {task.direction for task in tasks} == {"forward", "backward"}


def test_a_server_ends_with_the_process_that_started_it() -> None:
    script = "from agentd.gym import Server; s = Server(domains=['accounting']); print(s._process.pid, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        server = int(parent.stdout.readline())
        parent.kill()
        try:
            assert parent.communicate(timeout=60)[1] == ""  # the server has the other end, too
        except subprocess.TimeoutExpired:
            os.kill(server, signal.SIGKILL)
            raise
