"""Domains, environments, and what the exact programs of their edits make."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ._documents import Direction, Documents, files, path_of, texts
from ._program import client

@dataclass(frozen=True)
class Domain:
    """What a document is, and what is counted in it."""

    name: str
    title: str
    category: str
    patterns: list[str]
    """Names of files that belong to a document, such as "*.ledger"."""
    element: str
    """What is counted, singular, such as "transaction"."""
    components: list[str]
    """The parts of the published score."""
    example: str
    """One element as the format writes it."""


@dataclass(frozen=True)
class Edit:
    """A pair of instructions, there and back."""

    name: str
    operations: list[str]
    forward: str
    """The instruction there."""
    backward: str
    """The instruction back."""
    targets: list[str]
    """Names or patterns of all files after the forward step."""
    exact: bool
    """Whether an exact program does both, so that oracle() has a result."""


@dataclass(frozen=True)
class Environment:
    """A document with the edits to be made in it."""

    name: str
    title: str
    domain: str
    licence: str
    origin: str
    targets: list[str]
    """Names or patterns of the files of the seed."""
    edits: list[Edit]
    unscored: str
    """Why nothing can be scored in it; empty if it can."""
    data: str = ""
    """Where it is from: a data set file or a folder; empty for the built-in ones."""
    derived: int = 0
    paths: tuple[str, ...] = ()
    """As environments() was asked."""

    @property
    def seed(self) -> dict[str, str | bytes]:
        """The documents by file name."""
        return files(self._all()["seed"])

    @property
    def distractors(self) -> dict[str, str | bytes]:
        """Files that lie next to the documents and have nothing to do with the edits."""
        return files(self._all()["distractors"] or {})

    def _all(self) -> dict[str, Any]:
        found: dict[str, Any] = client.ask("environment", env=self.name, data=self.data, derived=self.derived, paths=self.paths)
        return found


@dataclass(frozen=True)
class Exact:
    """What the exact program of an edit makes."""

    instruction: str
    targets: list[str]
    """Names or patterns of the files that the step should leave."""
    documents: dict[str, str | bytes]
    """What the step begins with."""
    expected: dict[str, str | bytes]
    """What it should leave."""


def domains(document: Documents | None = None) -> list[Domain]:
    """All domains; of a document, those that read it, the most likely first.

    Raises:
        RequestError: No domain reads the document.
    """
    return [Domain(**d) for d in client.ask("domains", files=None if document is None else texts(document))]


def environments(
    data: str | os.PathLike[str] = "", *, derived: int = 0, paths: Iterable[str | os.PathLike[str]] = ()
) -> list[Environment]:
    """The built-in environments; with data, those of a data set file or of a folder.

    Args:
        derived: How many edits to derive of each document, as `agentd gym --derived` does.
        paths: Files and folders of your own documents in place of data, as `agentd gym --documents` takes them. All
            their edits are derived; derived=0 stands for 8. Each is named by the last two levels of its absolute path.

    Their documents are read when they are asked for: Environment.seed, Environment.distractors.
    """
    where = path_of(data)
    own = tuple(path_of(path) for path in paths)
    found = client.ask("environments", data=where, derived=derived, paths=own)
    return [
        Environment(**{**e, "edits": [Edit(**edit) for edit in e["edits"]]}, data=where, derived=derived, paths=own) for e in found
    ]


def oracle(
    env: str,
    edit: str | int,
    direction: Direction = "forward",
    *,
    documents: Documents | None = None,
    data: str | os.PathLike[str] = "",
    derived: int = 0,
    paths: Iterable[str | os.PathLike[str]] = (),
) -> Exact:
    """What the exact program of an edit makes.

    Args:
        edit: Its name, or its number from 1.
        direction: "backward" leads what the edit made back to the document.
        documents: What it begins with; without them the seed or, backward, what the exact program made of it.
        data: Data set file or folder that has the environment; without it, it is a built-in one.
        derived, paths: Of environments(), for a derived edit and for a document of your own.

    Raises:
        RequestError: There is no such environment or edit, the edit has no exact program, or the documents are
            none that it can edit.
    """
    found = client.ask(
        "oracle",
        env=env,
        edit=str(edit),
        direction=direction,
        documents=None if documents is None else texts(documents),
        data=path_of(data),
        derived=derived,
        paths=[path_of(path) for path in paths],
    )
    return Exact(found["instruction"], found["targets"], files(found["documents"]), files(found["expected"]))
