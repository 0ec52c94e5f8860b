"""agentd's sandbox for Inspect's tools: no network, a read-only system, limits on time, memory, processes and disk.

Each command runs in a sandbox of its own. Only the files of its working folder stay for the next one: text, and pictures by
their names. No process goes on after its command, so tools that need a server inside, such as Inspect's `bash_session`, do not
work.
"""

import base64
import json
from typing import Any, Literal, cast, overload

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    sandboxenv,
)
from inspect_ai.util._sandbox.environment import SandboxUnavailableError, SandboxUserUnsupportedError

from .._program import program, starting

# What errors of agentd sandbox serve mean to Inspect.
_KINDS: dict[str, type[OSError]] = {
    "absent": FileNotFoundError,
    "folder": IsADirectoryError,
    "path": PermissionError,
    "content": PermissionError,
}

# Limits: characters of output of both streams together, bytes of a request and of an answer.
_MOST_OUTPUT = 10 << 20
_MOST_REQUEST = 32 << 20
_MOST_ANSWER = 256 << 20


@sandboxenv(name="agentd")
class Sandbox(SandboxEnvironment):
    """A sample's sandbox: a process `agentd sandbox serve`."""

    def __init__(self, process: Process) -> None:
        super().__init__()
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self._input, self._output = process.stdin, BufferedByteReceiveStream(process.stdout)
        self._turn = anyio.Lock()
        self._owed = 0

    @classmethod
    async def sample_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        """Start the sandbox of a sample, with an empty folder."""
        with starting():
            process = await anyio.open_process([str(program()), "sandbox", "serve"], stderr=None)
        return {"default": cls(process)}

    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        """End it, with all that runs in it."""
        for environment in environments.values():
            with anyio.CancelScope(shield=True):
                await environment.as_type(Sandbox)._close()

    async def _close(self) -> None:
        await self._input.aclose()
        with anyio.move_on_after(1):
            await self._process.wait()
        if self._process.returncode is None:  # a command is running
            self._process.terminate()
        await self._process.aclose()

    async def _ask(self, **request: Any) -> dict[str, Any]:
        """Send a request and wait for its answer. The answer to a request that was given up is passed over."""
        line = json.dumps(request).encode() + b"\n"
        if len(line) > _MOST_REQUEST:
            raise PermissionError(f"files and inputs have at most {_MOST_REQUEST * 3 // 4 >> 20} MiB")
        async with self._turn:
            try:
                with anyio.CancelScope(shield=True):
                    await self._input.send(line)
                self._owed += 1
                while True:
                    line = await self._output.receive_until(b"\n", _MOST_ANSWER)
                    self._owed -= 1
                    if self._owed == 0:
                        break
            except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, anyio.IncompleteRead) as error:
                raise SandboxUnavailableError("agentd sandbox serve has ended; its reason is on standard error") from error
        answer = cast(dict[str, Any], json.loads(line))
        if "error" in answer:
            raise _KINDS.get(answer["kind"], ValueError)(answer["error"])
        return answer

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        """Run a command. What it leaves and the sandbox does not keep is named at the end of standard error.

        Without a timeout it may take an hour. A command that timed out is not run again.
        """
        if user is not None:
            raise SandboxUserUnsupportedError(f"commands run as one user, not as {user!r}")
        given = input.encode() if isinstance(input, str) else input or b""
        result = await self._ask(
            do="exec",
            args=cmd,
            cwd=cwd or "",
            env=env or {},
            stdin=base64.b64encode(given).decode(),
            seconds=timeout or 0,
            output=_MOST_OUTPUT,
        )
        if result["timed_out"]:
            raise TimeoutError(f"the command took longer than {timeout or 3600} seconds")
        stdout, stderr, status = result["stdout"], result["stderr"], result["exit_code"]
        if result["truncated"]:
            raise OutputLimitExceededError(f"{_MOST_OUTPUT >> 20} MiB", stdout + stderr)
        if status == 126 and "permission denied" in stderr.lower():
            raise PermissionError(stderr)
        stderr += "".join(f"agentd: {one['file']} is not kept: {one['reason']}\n" for one in result["skipped"])
        return ExecResult(status == 0, status, stdout, stderr)

    async def write_file(self, file: str, contents: str | bytes) -> None:
        """Create or replace a file: text, or a picture by its name, of at most 16 MiB."""
        raw = contents.encode() if isinstance(contents, str) else contents
        await self._ask(do="write", name=file, content=base64.b64encode(raw).decode())

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        """The content of a file of the working folder."""
        raw = base64.b64decode((await self._ask(do="read", name=file))["content"])
        return raw.decode() if text else raw
