"""Stored results as frames."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from ._program import run

if TYPE_CHECKING:
    import pandas
    import polars

Frame = TypeVar("Frame")

# agentd report ends with it if an arm carried out none of its edits; the tables are printed all the same.
_NOTHING_DONE = 4


class Results(Generic[Frame]):
    """An experiment's results. results() makes it.

    Each frame is read once, when it is first asked for. agentd's reference "Columns of exports" says what
    each column is: times are in seconds, costs in USD, scores from 0 to 1. What is unknown is null, never 0.
    """

    def __init__(
        self, source: list[str], read: Callable[[Path], Frame], of_rows: Callable[[list[dict[str, Any]]], Frame]
    ) -> None:
        self._source, self._read, self._of_rows = source, read, of_rows

    @cached_property
    def interactions(self) -> Frame:
        """A row for each edit of a document in one direction, with its scores, usage and cost."""
        return self._rows("interactions")

    @cached_property
    def turns(self) -> Frame:
        """A row for each completion."""
        return self._rows("turns")

    @cached_property
    def calls(self) -> Frame:
        """A row for each tool call."""
        return self._rows("calls")

    @cached_property
    def reads(self) -> Frame:
        """A row for each reading of a file."""
        return self._rows("reads")

    def report(self, section: str, *, against: str = "") -> dict[str, Frame]:
        """The tables of a section of the report, by name.

        A table has a column for each label, such as model and policy, and for each measure: its value, and where
        it has them the bounds of its 95 % interval as MEASURE.low and MEASURE.high and how many it is of as
        MEASURE.n. Shares are from 0 to 1. Rows of arms have "did", the edits that were carried out, of "edits".

        Args:
            section: Such as "survival" or "comparison"; agentd's reference "Sections of a report" lists them.
            against: Another experiment, or an arm such as "gpt-5.4 direct", to compare with.
        """
        options = ["--against", against] if against else []
        found = json.loads(
            run("report", *self._source, "--format", "json", "--section", section, *options, fine=(0, _NOTHING_DONE))
        )
        tables = [table for tables in found["sections"].values() for table in tables]
        return {table["name"]: self._of_rows([_row(row) for row in table["rows"] or []]) for table in tables}

    def _rows(self, kind: str) -> Frame:
        with tempfile.TemporaryDirectory(prefix="agentd-") as folder:
            file = Path(folder, f"{kind}.parquet")
            run("export", *self._source, "--rows", kind, "--format", "parquet", "--out", str(file))
            return self._read(file)


@overload
def results(
    db: str | os.PathLike[str] = ..., *, name: str = ..., to: Literal["pandas"] = ...
) -> Results[pandas.DataFrame]: ...
@overload
def results(db: str | os.PathLike[str] = ..., *, name: str = ..., to: Literal["polars"]) -> Results[polars.DataFrame]: ...
def results(
    db: str | os.PathLike[str] = "agentd.db", *, name: str = "", to: Literal["pandas", "polars"] = "pandas"
) -> Results[Any]:
    """The stored results of an experiment.

    Args:
        db: File of the results, or a PostgreSQL database as postgres://…
        name: The experiment; without one, the newest.
        to: What frames are; each needs the extra of its name.
    """
    source = ["--db", os.fspath(db), *(["--name", name] if name else [])]
    if to == "pandas":
        import pandas

        return Results(source, pandas.read_parquet, pandas.DataFrame)
    if to == "polars":
        import polars

        # Of a table's rows some may lack a number that the first ones have, and the other way round.
        return Results(source, lambda file: polars.read_parquet(file, memory_map=False), lambda rows: polars.DataFrame(rows, infer_schema_length=None))
    raise ValueError(f'to is "pandas" or "polars", not {to!r}')


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a table as columns."""
    flat: dict[str, Any] = dict(row["labels"])
    flat.update({name: row[name] for name in ("did", "edits") if name in row})
    for measure, cell in row["cells"].items():
        flat[measure] = cell["value"]
        flat.update({f"{measure}.{part}": cell[part] for part in ("low", "high", "n", "of") if part in cell})
    return flat
