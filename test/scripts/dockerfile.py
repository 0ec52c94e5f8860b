#!/usr/bin/env python3
"""Carries out the steps of a Dockerfile in folders, without Docker, and then runs the image's command.

    dockerfile.py DOCKERFILE CONTEXT WORK IMAGE=ROOT... -- [ARGUMENT...]

IMAGE=ROOT is a folder with the root file system that stands in for a base image. Roots are copied into the
folder WORK before anything is changed. Commands run by in-root.sh, which BINDS and PASS are for, with the copy
as their root and with the network of this machine. Arguments take the place of CMD. It understands the instructions and forms that the
Dockerfile of this repository has, and ends with an error at any other.
"""
import json
import os
import shutil
import subprocess
import sys


def instructions(text):
    """Pairs of an instruction and its arguments, with continued lines joined and comments left out."""
    line = ""
    for part in text.splitlines():
        if part.lstrip().startswith("#") or not part.strip() and not line:
            continue
        line += part.rstrip()
        if line.endswith("\\"):
            line = line[:-1] + " "
            continue
        word, _, rest = line.strip().partition(" ")
        yield word.upper(), rest.strip()
        line = ""


class Stage:
    def __init__(self, root):
        self.root, self.workdir, self.user, self.entrypoint, self.cmd = root, "/", "root", [], []

    def path(self, name):
        return os.path.join(self.root, os.path.join(self.workdir, name).lstrip("/"))

    def run(self, command):
        """Runs a command in the root, as the user and in the working directory of the stage."""
        if self.user != "root":
            command = ["setpriv", "--reuid", self.user, "--regid", self.user, "--init-groups", "--inh-caps=-all",
                       "env", "HOME=" + self.workdir, *command]
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "in-root.sh")
        subprocess.run(["sh", script, self.root, *command], check=True, env={**os.environ, "WORKDIR": self.workdir})


def copy(stage, sources, target):
    for source in sources:
        if os.path.isdir(source):
            shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
            continue
        into = target.endswith("/") or os.path.isdir(target)
        os.makedirs(target if into else os.path.dirname(target), exist_ok=True)
        shutil.copy2(source, target)


def build(text, context, work, bases):
    stages, stage = {}, None
    for word, rest in instructions(text):
        if word == "FROM":
            image, *name = rest.split(" AS ")
            root = os.path.join(work, str(len(stages)))
            subprocess.run(["cp", "--archive", bases[image], root], check=True)
            stage = Stage(root)
            stages[name[0] if name else len(stages)] = stage
        elif word == "WORKDIR":
            stage.workdir = rest
            os.makedirs(stage.path(""), exist_ok=True)
        elif word == "COPY":
            *sources, target = rest.split()
            origin = context + "/"
            if sources[0].startswith("--from="):
                origin = stages[sources.pop(0).removeprefix("--from=")].root + "/"
            copy(stage, [origin + source.lstrip("/") for source in sources], stage.path(target) if target != "." else stage.path("") + "/")
        elif word == "RUN":
            stage.run(["sh", "-ec", rest])
        elif word == "USER":
            stage.user = rest
        elif word == "ENTRYPOINT":
            stage.entrypoint = json.loads(rest)
        elif word == "CMD":
            stage.cmd = json.loads(rest)
        else:
            sys.exit(f"dockerfile: {word} is not understood")
        print(f"dockerfile: {word} {rest}", flush=True)
    return stage


def main():
    *arguments, = sys.argv[1:]
    split = arguments.index("--")
    file, context, work, *bases = arguments[:split]
    image = build(open(file).read(), context, work, dict(base.rsplit("=", 1) for base in bases))
    image.run([*image.entrypoint, *(arguments[split + 1:] or image.cmd)])


if __name__ == "__main__":
    main()
