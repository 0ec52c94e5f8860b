"""Relays of delegated edits as an Inspect task. agentd words the requests, carries the documents on, and scores."""

import atexit
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from ..gym import AsyncGym, Grade, Server

_INTERACTIONS = "agentd:interactions"


@cache
def _server(data: str | None) -> Server:
    """A gym with the environments of data, until the process ends."""
    server = Server(data=data)
    atexit.register(server.close)
    return server


def _listed(value: str | list[str] | None) -> list[str]:
    return value.split(",") if isinstance(value, str) else list(value or [])


def _environments(server: Server) -> list[dict[str, str]]:
    """The environments of a gym: name, domain and split."""
    tasks = server.tasks("train") + server.tasks("test")
    found = {task.env: {"environment": task.env, "domain": task.domain, "split": task.split} for task in tasks}
    return [found[name] for name in sorted(found)]


@task
def relay(
    domains: str | list[str] | None = None,
    environments: str | list[str] | None = None,
    data: str | None = None,
    round_trips: int = 10,
    seed: int = 1,
) -> Task:
    """A relay on each environment: a document edited forward and backward, round trip after round trip.

    Args:
        domains: Domains of the documents, in a list or with commas; all if None.
        environments: Names of environments, likewise.
        data: A data set file or a folder of environments; the built-in ones if None.
        round_trips: In a relay, two interactions each.
        seed: Draws the order of the edits. The same seed asks every model for the same work.
    """
    wanted, named = _listed(domains), _listed(environments)
    samples = [
        Sample(id=one["environment"], input=f"{round_trips} round trips on {one['environment']}", metadata=one)
        for one in _environments(_server(data))
        if (not wanted or one["domain"] in wanted) and (not named or one["environment"] in named)
    ]
    if not samples:
        raise ValueError(f"no environment has domains {domains} and names {environments}")
    return Task(
        dataset=MemoryDataset(samples, name="agentd"),
        solver=play(data, round_trips, seed),
        scorer=[rs(), strict(), forward(), no_ops_zero()],
    )


@solver
def play(data: str | None = None, round_trips: int = 10, seed: int = 1) -> Solver:
    """Ask the model for each edit of the relay as the policy `direct` does, each in a conversation of its own.

    The messages of all interactions go into the state; the store has what agentd says of each one.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        interactions: list[dict[str, object]] = []
        state.messages.clear()
        async with AsyncGym(_server(data).address) as gym:
            step = await gym.reset(env=str(state.sample_id), round_trips=round_trips, seed=seed, prompt=True)
            while not step.done:
                request = ChatMessageUser(content=step.observation.prompt)
                state.output = await get_model().generate([request])
                state.messages += [request, state.output.message]
                step = await gym.answer(state.output.completion)
                if step.grade is not None:
                    interactions.append(asdict(step.grade))
        state.store.set(_INTERACTIONS, interactions)
        return state

    return solve


def _grades(state: TaskState) -> list[Grade]:
    found: list[dict[str, Any]] = state.store.get(_INTERACTIONS, [])
    return [Grade(**one) for one in found]


def _scoring(what: str, of: Callable[[list[Grade]], list[float | None]]) -> Scorer:
    """Scores by the grades: the last number that is there, with all of them as metadata."""

    async def score(state: TaskState, target: Target) -> Score:
        values = of(_grades(state))
        there = [value for value in values if value is not None]
        return Score(value=there[-1] if there else float("nan"), explanation=what, metadata={"by_interaction": values})

    return score


@scorer(metrics=[mean(), stderr()])
def rs() -> Scorer:
    """RS@k: how much of the seed is there after the last round trip, by the published score. Not a number if nothing is scored."""
    return _scoring("RS after each interaction", lambda grades: [grade.rs for grade in grades])


@scorer(metrics=[mean(), stderr()])
def strict() -> Scorer:
    """Likewise, by the strict score: 1 only if nothing that matters has changed."""
    return _scoring("Strict after each interaction", lambda grades: [grade.strict for grade in grades])


@scorer(metrics=[mean(), stderr()])
def no_ops_zero() -> Scorer:
    """RS@k with no-ops as 0: a round trip whose forward step was not carried out scores 0."""
    return _scoring("RS after each interaction, with no-ops as 0", lambda grades: [grade.rs_noops_zero for grade in grades])


@scorer(metrics=[mean(), stderr()])
def forward() -> Scorer:
    """How well the forward steps did what was asked, on average, against the exact programs."""

    async def score(state: TaskState, target: Target) -> Score:
        grades = _grades(state)
        values = [grade.forward_score for grade in grades]
        there = [value for value in values if value is not None]
        average = sum(there) / len(there) if there else float("nan")
        return Score(value=average, explanation="Forward steps against the exact programs", metadata={"by_interaction": values})

    return score
