"""Documents on their way to the program and back."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

# What stands for a file that is no text, such as a picture: its bytes in base64 follow.
_BINARY = "base64:"

Direction = Literal["forward", "backward"]

Documents = Mapping[str, "str | bytes"] | os.PathLike[str]
"""Files by name, texts as str and all others as bytes; or the path of a file, or of a folder with all that is in it."""


def texts(documents: Documents) -> dict[str, str]:
    """The documents as the program reads them: texts by name, of files that are no text in base64."""
    return {name: _text(content) for name, content in _files(documents).items()}


def files(found: Mapping[str, str]) -> dict[str, str | bytes]:
    """What the program sent: str of texts, bytes of all other files."""
    return {name: base64.b64decode(text[len(_BINARY) :]) if text.startswith(_BINARY) else text for name, text in found.items()}


def path_of(data: str | os.PathLike[str]) -> str:
    """A path that the program finds in its own working directory, too; empty for none."""
    return os.path.abspath(data) if data else ""


def _text(content: str | bytes) -> str:
    if isinstance(content, str):
        return content
    try:
        return content.decode()
    except UnicodeDecodeError:
        return _BINARY + base64.b64encode(content).decode("ascii")


def _files(documents: Documents) -> Mapping[str, str | bytes]:
    if isinstance(documents, Mapping):
        return documents
    if isinstance(documents, str):
        raise TypeError("documents are files by name, or a pathlib.Path; a str could be either a path or a text")
    root = Path(documents)
    if root.is_file():
        return {root.name: root.read_bytes()}
    found = {p.relative_to(root).as_posix(): p for p in sorted(root.rglob("*"))}
    shown = {name: p for name, p in found.items() if p.is_file() and not any(part.startswith(".") for part in name.split("/"))}
    if not shown:
        raise FileNotFoundError(f"{root}: no such file, or no files in the folder")
    return {name: p.read_bytes() for name, p in shown.items()}
