"""Puts the program into the wheel: the build hook of pyproject.toml.

AGENTD_PROGRAM names the program (default ../bin/agentd, as `make build` leaves it), AGENTD_LICENCES a
file with the licences of what it is made of, and AGENTD_TARGET the system it is for, such as
linux/amd64 (default this one).
"""

import os
import platform
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What pip calls the systems for which Go names stand, and how a program for each begins: the first bytes of the
# format, and where it names the machine. The program links nothing; Go 1.26 asks for macOS 12.
ELF, MACH_O = b"\x7fELF\x02\x01", b"\xcf\xfa\xed\xfe"
SYSTEMS = {
    "linux/amd64": ("manylinux_2_17_x86_64", ELF, 18, b"\x3e\x00"),
    "linux/arm64": ("manylinux_2_17_aarch64", ELF, 18, b"\xb7\x00"),
    "darwin/amd64": ("macosx_12_0_x86_64", MACH_O, 4, b"\x07\x00\x00\x01"),
    "darwin/arm64": ("macosx_12_0_arm64", MACH_O, 4, b"\x0c\x00\x00\x01"),
}


def this_system() -> str:
    machine = platform.machine()
    return f"{platform.system().lower()}/{ {'x86_64': 'amd64', 'aarch64': 'arm64'}.get(machine, machine)}"


class Program(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        program = Path(os.environ.get("AGENTD_PROGRAM", Path(self.root, "..", "bin", "agentd")))
        if not program.is_file():
            raise FileNotFoundError(f"{program} is missing: run make build, or name a program in AGENTD_PROGRAM")
        target = os.environ.get("AGENTD_TARGET", this_system())
        if target not in SYSTEMS:
            raise ValueError(f"no wheels are built for {target}, only for {', '.join(SYSTEMS)}")
        tag, magic, at, machine = SYSTEMS[target]
        with program.open("rb") as file:
            begins = file.read(32)
        if not (begins.startswith(magic) and begins[at:].startswith(machine)):
            raise ValueError(f"{program} is no program for {target}")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
        build_data["shared_scripts"][str(program.resolve())] = "agentd"
        if licences := os.environ.get("AGENTD_LICENCES"):
            build_data["shared_data"][licences] = "share/doc/agentd/THIRD-PARTY.txt"
