"""Says whether the program that is the first argument could be run here, and if not, why."""

import os
import shutil
import sys


def interpreter(path):
    """The program that the first line of a script asks for, and the name that env looks for."""
    with open(path, "rb") as file:
        line = file.readline(4096)
    words = line[2:].decode(errors="replace").split() if line.startswith(b"#!") else []
    if len(words) > 1 and os.path.basename(words[0]) == "env":
        return [words[0], next((w for w in words[1:] if not w.startswith("-") and "=" not in w), words[0])]
    return words[:1]


def problem(name):
    path = name if "/" in name else shutil.which(name, os.F_OK)
    if path is None or not os.path.exists(path):
        return "is not there"
    if os.path.isdir(path):
        return "is a folder"
    if not os.access(path, os.X_OK):
        return "is not executable"
    try:
        wanted = interpreter(path)
    except OSError:  # a program that may be run and not read
        return ""
    for program in wanted:
        if shutil.which(program) is None:
            return "asks in its first line for " + program + ", which is not there"
    return ""


print("found:", problem(sys.argv[1]))
