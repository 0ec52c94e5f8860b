"""Episodes: the client against a gym that it started."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from agentd import ProgramError
from agentd.gym import AsyncGym, Gym, GymError, Server

from test_package import runs

ENV, EDIT = "accounting1", "split_by_claimant"


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


def test_a_server_lists_its_tasks() -> None:
    with Server(domains=["accounting"]) as server:
        tasks = server.tasks("train") + server.tasks("test")
    assert {task.domain for task in tasks} == {"accounting"} and {task.direction for task in tasks} == {"forward", "backward"}


def test_a_server_ends_with_the_process_that_started_it() -> None:
    script = "from agentd.gym import Server; s = Server(domains=['accounting']); print(s._process.pid, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        server = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
    for _ in range(600):
        if not runs(server):
            return
        time.sleep(0.1)
    os.kill(server, signal.SIGKILL)
    pytest.fail("the server still runs")


def test_what_is_wrong_with_a_server_is_in_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GymError, match='unknown domain "acounting"; the nearest are accounting'):
        Server(domains=["acounting"])
    with pytest.raises(GymError, match="there is no session"):
        Gym("http://127.0.0.1:1")
    monkeypatch.setenv("AGENTD_PROGRAM", "/no/such/agentd")
    with pytest.raises(ProgramError, match="starting /no/such/agentd: No such file"):
        Gym()


def test_a_session_whose_server_is_gone_is_an_error() -> None:
    with Gym(domains=["accounting"]) as gym:
        gym.reset(env=ENV)
        assert gym._server is not None
        gym._server._process.kill()
        for _ in range(2):
            with pytest.raises(GymError, match="there is no session"):
                gym.state()
        gym.close()  # and once more at the end of the block
    with pytest.raises(GymError, match="there is no session"):
        gym.reset()


def test_threads_that_share_a_session_ask_one_after_the_other(gym: Gym) -> None:
    seen = gym.reset(env=ENV, edit=EDIT, direction="forward").observation
    with ThreadPoolExecutor(8) as pool:
        read = pool.map(lambda i: gym.call("read_file", path=seen.files[i % 2]).observation.result, range(40))
        assert list(read) == [seen.documents[seen.files[i % 2]] for i in range(40)]


def test_a_question_that_was_given_up_ends_the_session(server: Server) -> None:
    async def play() -> None:
        async with AsyncGym(server.address) as gym:
            await gym.reset(env=ENV)
            question = asyncio.create_task(gym.call("list"))
            await asyncio.sleep(0)  # it is asked
            question.cancel()
            with pytest.raises(asyncio.CancelledError):
                await question
            with pytest.raises(GymError, match="there is no session"):  # and not the answer to the call
                await gym.state()

    asyncio.run(play())
