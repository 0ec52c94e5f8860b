"""Runs germina.py on notebooks of counts and compares all it says with what basic_state says."""
import json
import os
import subprocess
import sys

PROGRAM = "germina.py"
ROWS = "filas.json"
CASES = [
    ["mayo.csv"],
    ["mayo.csv", "--parte"],
    ["mayo.csv", "--corte", "7"],
    ["otono.csv", "--parte"],
    ["otono.csv", "--corte", "21", "--parte"],
    ["con_errores.csv", "--parte"],
    ["sin_columnas.csv"],
    ["vacio.csv", "--parte"],
]


def outcome(folder, arguments):
    rows = os.path.join(folder, ROWS)
    if os.path.exists(rows):
        os.remove(rows)
    environment = dict(os.environ, PYTHONIOENCODING="utf-8")
    ended = subprocess.run(
        [sys.executable, PROGRAM] + arguments + ["--salida", ROWS],
        cwd=folder, capture_output=True, encoding="utf-8", timeout=10, env=environment)
    written = None
    if os.path.exists(rows):
        with open(rows, encoding="utf-8") as f:
            written = json.load(f)
    return {"exit": ended.returncode, "stdout": ended.stdout, "rows": written}


def run_tests(state_id):
    here = os.getcwd()
    failures = []
    for number, case in enumerate(CASES):
        arguments = [os.path.join(here, a) if a.endswith(".csv") else a for a in case]
        got = outcome(here, arguments)
        want = outcome(os.path.join(here, "basic_state"), arguments)
        failures += ["%d:%s" % (number, what) for what in want if got[what] != want[what]]
    failed = {f.split(":")[0] for f in failures}
    return {"score": 1 - len(failed) / len(CASES), "cases": len(CASES), "failures": failures}
