"""Stored results as frames of both kinds, and the notebook."""

import re
from pathlib import Path

import nbclient
import nbformat
import pandas
import polars
import pytest

import agentd

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_both_kinds_of_frames_hold_the_same(db: Path) -> None:
    one, two = agentd.results(db, name="small"), agentd.results(db, name="small", to="polars")
    for kind in ("interactions", "turns", "calls", "reads"):
        a, b = getattr(one, kind), getattr(two, kind)
        assert isinstance(a, pandas.DataFrame) and isinstance(b, polars.DataFrame)
        assert a.shape == b.shape and list(a.columns) == b.columns, kind
    assert len(one.interactions) == 2 * 5 * 4
    assert one.interactions["rs"].dropna().between(0, 1).all()


def test_tables_of_the_report_agree_with_the_rows(db: Path) -> None:
    found = agentd.results(db)
    table = found.report("survival")["rs"].set_index("model")
    rows = found.interactions
    last = rows[rows["interaction"] == rows["interaction"].max()]
    means = last.groupby("gen_ai.request.model")["rs"].mean()
    for model, mean in means.items():
        assert table.loc[model, "rs_4"] == pytest.approx(mean)
        assert table.loc[model, "rs_4.low"] <= mean <= table.loc[model, "rs_4.high"]
    polar = agentd.results(db, to="polars").report("survival")["rs"]
    assert polar["rs_4"].to_list() == list(table["rs_4"])


@pytest.mark.parametrize("kind", ["interactions", "turns", "calls", "reads"])
def test_every_column_is_in_the_reference(kind: str, db: Path) -> None:
    page = (EXAMPLES.parents[1] / "docs" / "reference" / "exports.md").read_text()
    documented = set(re.findall(r"^\| `([^`]+)`", page, re.MULTILINE))
    columns = set(getattr(agentd.results(db), kind).columns)
    assert columns and columns <= documented


def test_another_kind_of_frame_is_refused(db: Path) -> None:
    with pytest.raises(ValueError, match="pandas"):
        agentd.results(db, to="arrow")  # type: ignore[call-overload]


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda f: f.stem)
@pytest.mark.filterwarnings("default")
def test_the_notebook_runs(file: Path, tmp_path: Path) -> None:
    notebook = nbformat.reads(file.read_text(), as_version=4)  # type: ignore[no-untyped-call]
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
    assert any("image/png" in o.get("data", {}) for o in outputs), "no curve was drawn"
