#!/usr/bin/python3
"""A command of the policy exec that runs a program of an interaction, as makers.mjs. The
arguments are the program; it finds the proxy where it otherwise finds the stand-in."""

import json
import os
import subprocess
import sys

with open(os.environ["AGENTD_TASK"]) as f:
    task = json.load(f)


def content(name):
    with open(name) as f:
        return f.read()


task["files"] = {name: content(name) for name in task["files"]}
address = os.environ["OPENAI_BASE_URL"].removesuffix("/v1")
done = subprocess.run(sys.argv[1:], input=json.dumps(task), env={**os.environ, "SIM_URL": address}, stdout=subprocess.PIPE, text=True, check=True)
files = json.loads(done.stdout)
for name in task["files"].keys() - files.keys():
    os.remove(name)
for name, text in files.items():
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "w") as f:
        f.write(text)
