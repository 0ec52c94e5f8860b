"""How much of documents is left, and what changed in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal, overload

from ._documents import Direction, Documents, path_of, texts
from ._errors import AgentdError
from ._program import client, in_order

# Pairs on their way at once: enough that the program never waits for Python.
_AHEAD = 256


@dataclass(frozen=True)
class Change:
    """A difference between two documents, in the words of the format."""

    kind: str
    """lost, added, changed, moved or renamed."""
    element: str
    """What it happened to, such as "transaction"."""
    where: str
    """Which one, and which field of it."""
    was: str = ""
    """What stood there; of something moved, its place."""
    now: str = ""
    """What stands there; of something moved, its place."""
    field: str = ""
    """The field that changed or was lost; empty where it is the whole element."""


@dataclass(frozen=True)
class Pair:
    """A reference, and a candidate that is to be all of it."""

    domain: str
    """Its name, as domains() lists them, or that of a format."""
    reference: Documents
    candidate: Documents
    metadata: Mapping[str, str] | None = None
    """Options of the domain's score, as an environment sets them."""
    scaffold: Documents | None = None
    """What scoring needs in addition, such as the tests of a program."""

    def _fields(self) -> dict[str, Any]:
        return {
            "domain": self.domain,
            "reference": texts(self.reference),
            "candidate": texts(self.candidate),
            "metadata": dict(self.metadata or {}),
            "scaffold": texts(self.scaffold) if self.scaffold is not None else None,
        }


@dataclass(frozen=True)
class Slip:
    """A place at which the tools of the format stop reading, as they did not before."""

    file: str
    what: str
    """As in "a comma is missing"."""
    line: int = 0
    """From 1; 0 if it is of the whole file."""


@dataclass(frozen=True)
class BytesChange:
    """A property of a file's bytes that is not as it was, such as its line ends or its encoding."""

    file: str
    what: str
    was: str
    now: str


@dataclass(frozen=True)
class Bytes:
    """What became of the bytes where nothing changed in meaning."""

    changes: list[BytesChange]
    rest: float
    """0 to 1: the share of the bytes outside of changed elements that are not as they were."""


@dataclass(frozen=True)
class Score:
    """What survives of a reference in a candidate."""

    domain: str
    score: float
    """RS, 0 to 1: what survives, as the paper's evaluator scores it."""
    strict: float
    """0 to 1: what survives by the format's own rules; 1 only if nothing that matters changed, additions included."""
    components: dict[str, float]
    """The parts of RS by name, each 0 to 1."""
    elements: dict[str, int]
    """Counted elements, such as transactions: of the "reference" and of the "candidate"."""
    problem: str = ""
    """What is wrong with the candidate, such as a syntax error; empty if it can be read."""
    basis: str = ""
    """Why score is not the published program's: an opinion, a fallback that is no score, or strict; empty if it is."""
    approximate: str = ""
    """Limits on work that acted on the score; mostly empty."""
    differences: list[Change] = field(default_factory=list)
    """What differs; there where it was asked for."""
    warnings: list[str] = field(default_factory=list)
    """Dangers that are new and safeguards that are gone; no score knows of them. There with differences."""
    broken: list[Slip] = field(default_factory=list)
    """Where the tools of the format stop reading, as they did not before; no score knows of it. There with differences."""
    bytes: Bytes | None = None
    """What became of the bytes; None if they are as they were, or differences were not asked for."""


@dataclass(frozen=True)
class Grade:
    """What one step of an environment is worth."""

    done: bool
    """It was carried out: all files asked for are there, and one holds something new."""
    forward: float
    """0 to 1: how much of what the exact program makes is there."""
    idle: float
    """0 to 1: the forward of doing nothing."""
    progress: float
    """0 to 1: how far forward is above idle."""
    kept: float
    """0 to 1: the share of what the edit must not touch that is still there."""
    format: bool
    """The files asked for are there and can be read."""
    files: list[str]
    """Files asked for that are missing, and files that were not asked for."""
    reward: float
    """0 to 1: 0 unless done, else progress times kept."""


@dataclass(frozen=True)
class Document:
    """A document with what became of it."""

    document: str
    """The path of the file, or of the folder of several that are one document."""
    domain: str
    """The domain that reads it; empty for what is no text."""
    status: str
    """same, changed, renamed, added, removed or unreadable."""
    strict: float
    """0 to 1: what survives."""
    changes: list[Change]
    warnings: list[str] = field(default_factory=list)
    note: str = ""
    broken: list[Slip] = field(default_factory=list)
    bytes: Bytes | None = None
    """None if they are as they were."""


@dataclass(frozen=True)
class Diff:
    """What became of documents."""

    same: bool
    """No document means anything else than before."""
    documents: list[Document]


def score(
    domain: str,
    reference: Documents,
    candidate: Documents,
    *,
    metadata: Mapping[str, str] | None = None,
    scaffold: Documents | None = None,
    differences: bool = False,
) -> Score:
    """Scores how much of a reference survives in a candidate.

    Raises:
        RequestError: The domain is unknown, or cannot read the reference. A candidate that cannot be read
            scores 0, and Score.problem says why.
    """
    pair = Pair(domain, reference, candidate, metadata, scaffold)
    return _score(client.ask("score", differences=differences, **pair._fields()))


@overload
def score_many(pairs: Iterable[Pair], *, differences: bool = ..., errors: Literal["raise"] = ...) -> Iterator[Score]: ...
@overload
def score_many(
    pairs: Iterable[Pair], *, differences: bool = ..., errors: Literal["return"]
) -> Iterator[Score | AgentdError]: ...
def score_many(
    pairs: Iterable[Pair], *, differences: bool = False, errors: Literal["raise", "return"] = "raise"
) -> Iterator[Score | AgentdError]:
    """Scores pairs, and gives their scores in the order of the pairs.

    The program scores while Python prepares the next pairs; 256 pairs at most are held at once, so that pairs may
    come from a file of any length.

    Args:
        differences: Name what differs in each.
        errors: "return" gives the error in place of the score of a pair that cannot be scored; "raise" raises it there.
    """

    def sent() -> Iterator[Future[Any]]:
        for pair in pairs:
            yield client.send("score", {"differences": differences, **pair._fields()})

    for future in in_order(sent(), _AHEAD):
        try:
            yield _score(future.result())
        except AgentdError as e:
            if errors == "raise":
                raise
            yield e


def grade(
    env: str,
    edit: str | int,
    candidate: Documents,
    direction: Direction = "forward",
    *,
    data: str | os.PathLike[str] = "",
    derived: int = 0,
    paths: Iterable[str | os.PathLike[str]] = (),
) -> Grade:
    """Grades what a step of an environment has left, against what its exact program makes.

    Args:
        edit: Its name, or its number from 1.
        candidate: All files after the step: the result, with the distractors or without any.
        direction: "backward" began with what the exact program makes of the seed.
        data: Data set file or folder that has the environment; without it, it is a built-in one.
        derived, paths: Of environments(), for a derived edit and for a document of your own.

    Raises:
        RequestError: There is no such environment or edit, or the edit has no exact program.
    """
    found = client.ask(
        "score",
        env=env,
        edit=str(edit),
        direction=direction,
        candidate=texts(candidate),
        data=path_of(data),
        derived=derived,
        paths=[path_of(path) for path in paths],
    )
    return Grade(
        found["done"],
        float(found["forward"]),
        float(found["idle"]),
        float(found["progress"]),
        float(found["kept"]),
        found["format"],
        list(found["files"] or []),
        float(found["reward"]),
    )


def diff(before: Documents, after: Documents, *, domain: str = "") -> Diff:
    """Says what became of documents, by the meaning of their formats.

    Args:
        domain: The domain of the documents; without one, that which reads each.
    """
    found = client.ask("diff", before=texts(before), after=texts(after), domain=domain)
    return Diff(found["same"], [_document(d) for d in found["documents"]])


def _document(found: dict[str, Any]) -> Document:
    known = {name: value for name, value in found.items() if name in Document.__dataclass_fields__}
    known["strict"], known["changes"] = float(found["strict"]), _changes(found["changes"])
    return Document(**known | _form_and_bytes(found))


def _score(found: dict[str, Any]) -> Score:
    known = {name: value for name, value in found.items() if name in Score.__dataclass_fields__}
    known["score"], known["strict"] = float(found["score"]), float(found["strict"])
    known["components"] = {name: float(value) for name, value in found["components"].items()}
    known["differences"] = _changes(found.get("differences", []))
    return Score(**known | _form_and_bytes(found))


def _form_and_bytes(found: dict[str, Any]) -> dict[str, Any]:
    broken = [Slip(s["file"], s["what"], s.get("line", 0)) for s in found.get("broken", [])]
    if not (kept := found.get("bytes")):
        return {"broken": broken, "bytes": None}
    changes = [BytesChange(c["file"], c["what"], c["was"], c["is"]) for c in kept["changes"] or []]
    return {"broken": broken, "bytes": Bytes(changes, float(kept["rest"]))}


def _changes(found: list[dict[str, str]]) -> list[Change]:
    return [
        Change(c.get("change") or c["kind"], c["element"], c["where"], c.get("was", ""), c.get("is", ""), c.get("field", ""))
        for c in found
    ]
