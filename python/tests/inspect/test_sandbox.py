"""The sandbox `agentd`: Inspect's own checks of a sandbox, and what this one keeps."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from inspect_ai.util import ExecResult
from inspect_ai.util._sandbox import self_check as checks

from agentd.inspect import Sandbox

pytestmark = pytest.mark.filterwarnings("default")  # of Inspect itself

# What Inspect checks and this sandbox does not have, each with the reason.
TEXT = "files are text, or pictures by their names"
FOLDER = "only files of the working folder stay"
EMPTY = "folders without files do not stay"
LEFT_OUT = {
    "test_cwd_absolute": FOLDER,
    "test_exec_as_user": "commands run as one user",
    "test_exec_input_binary": TEXT,
    "test_exec_input_large": "an input has at most 24 MiB",
    "test_exec_permission_error": "/etc/password is not there, so that nothing forbids to run it",
    "test_read_and_write_file_binary": TEXT,
    "test_read_and_write_file_including_directory_absolute": FOLDER,
    "test_read_and_write_large_file_binary": TEXT,
    "test_read_file_is_directory": FOLDER,
    "test_read_file_limit": "a file has at most 16 MiB",
    "test_read_file_not_allowed": "all files of the working folder can be read",
    "test_write_binary_file_exists": TEXT,
    "test_write_binary_file_is_directory": EMPTY,
    "test_write_binary_file_space": TEXT,
    "test_write_text_file_is_directory": EMPTY,
    "test_write_text_file_without_permissions": "all files of the working folder can be written",
}


def in_sandbox(work: Callable[[Any], Awaitable[object]]) -> object:
    """What some work in a sandbox gives."""

    async def run() -> object:
        environments = await Sandbox.sample_init("test", None, {})
        try:
            return await asyncio.wait_for(work(environments["default"]), 60)
        finally:
            await Sandbox.sample_cleanup("test", None, environments, False)

    return asyncio.run(run())


@pytest.mark.parametrize("name", [name for name in dir(checks) if name.startswith("test_")])
def test_inspects_own_checks(name: str) -> None:
    if reason := LEFT_OUT.get(name):
        pytest.skip(reason)
    in_sandbox(getattr(checks, name))


def test_a_script_changes_the_files_and_nothing_else_stays() -> None:
    async def work(sandbox: Sandbox) -> ExecResult[str]:
        await sandbox.write_file("a.txt", "1\r\n")
        code = "open('b.txt', 'w', newline='').write(open('a.txt', newline='').read() + '2'); open('/tmp/c', 'w'); open('d.bin', 'wb').write(b'\\xff')"
        done = await sandbox.exec(["bash", "--login", "-c", "python3 -"], input=code)
        assert done.success and "d.bin is not kept" in done.stderr
        assert await sandbox.read_file("b.txt") == "1\r\n2"
        return await sandbox.exec(["ls", "/tmp", "."])

    listed = in_sandbox(work)
    assert isinstance(listed, ExecResult) and listed.stdout == ".:\na.txt\nb.txt\n\n/tmp:\n"


def test_no_network() -> None:
    code = "import socket; socket.create_connection(('127.0.0.1', 80), 1)"
    result = in_sandbox(lambda sandbox: sandbox.exec(["python3", "-c", code]))
    assert isinstance(result, ExecResult) and not result.success


def test_a_command_that_was_given_up_leaves_no_answer_behind() -> None:
    async def work(sandbox: Sandbox) -> ExecResult[str]:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(sandbox.exec(["sh", "-c", "sleep 1; echo first"]), 0.3)
        return await sandbox.exec(["echo", "second"])

    result = in_sandbox(work)
    assert isinstance(result, ExecResult) and result.stdout == "second\n"
