"""What the deck plan does with real booking lists, compared with basic_state."""
import json
import os
import subprocess
import sys

PROGRAM = "main.py"
FIGURES = "figures.json"
CASES = [
    ["monday_0715.csv"],
    ["monday_0715.csv", "--wind", "16.5", "--departure", "07:40"],
    ["saturday_1130.csv", "--departure", "11:30"],
    ["saturday_1130.csv", "--departure", "11:30", "--wind", "15"],
    ["tank_run.csv", "--departure", "21:05", "--wind", "9"],
    ["terminal_down.csv", "--departure", "05:50"],
    ["quiet.csv"],
    ["--help"],
]


def outcome(folder, arguments):
    figures = os.path.join(folder, FIGURES)
    if os.path.exists(figures):
        os.remove(figures)
    ended = subprocess.run(
        [sys.executable, PROGRAM] + arguments + ["--json", FIGURES],
        cwd=folder, capture_output=True, text=True, timeout=10)
    written = None
    if os.path.exists(figures):
        with open(figures, encoding="utf-8") as f:
            written = json.load(f)
    return {"exit": ended.returncode, "stdout": ended.stdout, "figures": written}


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
