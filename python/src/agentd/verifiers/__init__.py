"""Edits and relays for verifiers: the tasksets `agentd-edits` and `agentd-relays`, and the environment that plays a relay.

    vf-eval agentd-edits -n 20 --env.taskset.domains '["accounting"]' -m my-model

A task is an edit in one direction, worded as the policy `direct` words it. Its reward is agentd's for the answer: 1 for what the exact
program makes, 0 for doing nothing. A relay has a trace for each of its interactions, each with its share of the reward.
"""

import atexit
from collections.abc import Iterable
from functools import cache

import verifiers.v1 as vf

from .._documents import texts
from .._environments import oracle
from .._errors import AgentdError
from ..gym import AsyncGym, Direction, Gym, Server, Task

__all__ = ["EditTask", "Edits", "Relay", "RelayTask", "Relays"]


@cache
def _server(data: str | None, domains: tuple[str, ...]) -> Server:
    """A gym with the environments of data, until the process ends."""
    server = Server(data=data, domains=domains)
    atexit.register(server.close)
    return server


class Settings(vf.TasksetConfig):
    """Which tasks there are, under `--env.taskset.*`."""

    data: str | None = None
    """A data set file or a folder of environments; the built-in ones if None."""
    domains: list[str] = []
    """Domains of the documents; all if empty."""
    split: str = "train"
    """train, or test for what is held out."""
    round_trips: int = 10
    """Of a relay."""
    seed: int = 1
    """Draws the order of a relay's edits."""

    def server(self) -> Server:
        """A gym with these tasks."""
        return _server(self.data, tuple(self.domains))

    def tasks(self) -> list[Task]:
        """The tasks of the split."""
        return self.server().tasks(self.split)


class EditData(vf.TaskData):
    """An edit of an environment in one direction, and the gym that asks for it."""

    env: str
    edit: str
    direction: Direction
    data: str | None = None
    domains: tuple[str, ...] = ()

    def address(self) -> str:
        """Of the gym."""
        return _server(self.data, self.domains).address


class EditTask(vf.Task[EditData]):
    """An edit that is asked for."""

    async def _graded(self, text: str | None = None, files: dict[str, str] | None = None) -> float:
        async with AsyncGym(self.data.address()) as gym:
            await gym.reset(env=self.data.env, edit=self.data.edit, direction=self.data.direction)
            return (await gym.answer(text, files=files)).reward or 0.0

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the exact program earns 1."""
        return await self._graded(files=exact(self.data.env, self.data.edit, self.data.direction, self.data.data)) == 1

    @vf.reward(weight=1.0)
    async def edited(self, trace: vf.Trace) -> float:
        """What agentd pays for the last answer, from 0 to 1."""
        return await self._graded(trace.last_reply)


class Edits(vf.Taskset[EditTask, Settings]):
    """Each edit of each environment, forward and backward."""

    def load(self) -> Iterable[EditTask]:
        """Ask a gym for the tasks of the split, and for their prompts."""
        settings = self.config
        with Gym(settings.server().address) as gym:
            for task in settings.tasks():
                step = gym.reset(env=task.env, edit=task.edit, direction=task.direction, prompt=True)
                if not step.observation.prompt:
                    continue  # documents that are pictures
                data = EditData(
                    id=f"{task.env}/{task.edit}/{task.direction}",
                    name=f"{task.env} {task.edit}, {task.direction}",
                    prompt=step.observation.prompt,
                    env=task.env,
                    edit=task.edit,
                    direction=task.direction,
                    data=settings.data,
                    domains=tuple(settings.domains),
                )
                yield EditTask(data, settings.task)


class RelayData(vf.TaskData):
    """A relay, and the gym that plays it. Its agents are asked by the environment: there is no prompt."""

    env: str
    round_trips: int
    seed: int
    data: str | None = None
    domains: tuple[str, ...] = ()


class RelayTask(vf.Task[RelayData]):
    """A relay on an environment."""

    async def _played(self, exactly: bool) -> float:
        """What the exact programs earn, or leaving all documents as they are."""
        earned = 0.0
        async with AsyncGym(_server(self.data.data, self.data.domains).address) as gym:
            step = await gym.reset(env=self.data.env, round_trips=self.data.round_trips, seed=self.data.seed)
            while not step.done:
                asked = await gym.state()
                if exactly:
                    step = await gym.answer(files=exact(self.data.env, asked.edit, asked.direction, self.data.data))
                else:
                    step = await gym.answer("")
                earned += step.reward or 0.0
        return earned

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the exact programs earn 1."""
        return round(await self._played(exactly=True), 9) == 1

    @vf.reward(weight=1.0)
    async def edited(self, trace: vf.Trace) -> float:
        """What agentd pays for the interaction, its share of the relay; for a relay without any, what doing nothing earns."""
        share: float | None = trace.info.get("share")
        return await self._played(exactly=False) if share is None else share


class Relays(vf.Taskset[RelayTask, Settings]):
    """A relay on each environment."""

    def load(self) -> Iterable[RelayTask]:
        """One task for each environment of the split."""
        settings = self.config
        for name in dict.fromkeys(task.env for task in settings.tasks()):
            data = RelayData(
                id=name,
                name=f"{settings.round_trips} round trips on {name}",
                env=name,
                round_trips=settings.round_trips,
                seed=settings.seed,
                data=settings.data,
                domains=tuple(settings.domains),
            )
            yield RelayTask(data, settings.task)


class RelayConfig(vf.EnvConfig):
    """The agent that edits, under `--env.agent.*`."""

    agent: vf.AgentConfig = vf.AgentConfig()


class Relay(vf.Env[RelayConfig]):
    """Asks the agent for one edit after the other, each in a conversation of its own, on what the one before has left."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """Play the relay. Each trace has what agentd pays for its interaction."""
        data = task.data
        assert isinstance(data, RelayData)
        async with AsyncGym(_server(data.data, data.domains).address) as gym:
            step = await gym.reset(env=data.env, round_trips=data.round_trips, seed=data.seed, prompt=True)
            if not step.observation.prompt:
                raise AgentdError(f"the documents of {data.env} are pictures, which this relay cannot show")
            while not step.done:
                asked = type(task)(data.model_copy(update={"prompt": None}), task.config)
                async with agents.agent.interaction(asked) as interaction:
                    segment = await interaction.turn(step.observation.prompt)
                    step = await gym.answer(segment.last_reply)
                    interaction.trace.info["share"] = step.reward or 0.0


def exact(env: str, edit: str, direction: Direction, data: str | None) -> dict[str, str]:
    """The files that the exact program of an edit makes, from the environment's documents."""
    return texts(oracle(env, edit, direction, data=data or "").expected)
