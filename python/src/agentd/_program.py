"""The program agentd: where it is, and one process of it that answers requests for as long as Python runs."""

from __future__ import annotations

import atexit
import itertools
import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import IO, Any

from ._errors import ProgramError, RequestError

# How long the process has to end once its input has.
_SECONDS_TO_END = 5


def program() -> Path:
    """The program that this package brings along; that of the variable AGENTD_PROGRAM, if it is set.

    Raises:
        ProgramError: There is none, as in a checkout that was not built.
    """
    if chosen := os.environ.get("AGENTD_PROGRAM"):
        return Path(chosen)
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    # pip install --target DIR puts it into DIR/bin.
    folders.append(str(Path(__file__).parents[1] / "bin"))
    for folder in folders:
        if (there := Path(folder, "agentd")).is_file():
            return there
    if found := shutil.which("agentd"):
        return Path(found)
    raise ProgramError("the program agentd is missing: install the wheel, or name a program in AGENTD_PROGRAM")


def run(*args: str, fine: tuple[int, ...] = (0,)) -> bytes:
    """Runs the program once and returns what it prints on standard output.

    Raises:
        RequestError: Its exit status is 2: the arguments, or what they name, are at fault.
        ProgramError: It ends with another exit status than those that are fine.
    """
    done = subprocess.run([program(), *args], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode in fine:
        return done.stdout
    said = done.stderr.decode(errors="replace").strip() or f"agentd {args[0]} ended with exit status {done.returncode}"
    raise (RequestError if done.returncode == 2 else ProgramError)(said)


class _Asked:
    """A request on its way."""

    def __init__(self, line: bytes) -> None:
        self.line = line
        self.answer: Future[Any] = Future()
        self.again = True  # whether it may be sent to a second process, should the first one end


class _Process:
    """One `agentd answer`, and the requests that it has not answered yet."""

    def __init__(self) -> None:
        self.said = tempfile.TemporaryFile()
        self.waiting: dict[str, _Asked] = {}
        self.ended = False
        self.lock = threading.Lock()  # of what is written, waiting, and ended
        try:
            self.process = subprocess.Popen(
                [program(), "answer", "--log-format", "text"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.said,
                start_new_session=True,  # Ctrl+C is Python's to handle
            )
        except OSError as e:
            raise ProgramError(f"starting {program()}: {e}") from e


class Client:
    """Asks one process of the program, from any number of threads.

    The process is started with the first request, and again if it ended. Requests that it had not answered
    are sent once more; one that two processes did not survive raises ProgramError.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._numbers = itertools.count(1)
        os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.close)

    def ask(self, do: str, **fields: Any) -> Any:
        """Sends a request and waits for its answer."""
        return self.send(do, fields).result()

    def send(self, do: str, fields: Mapping[str, Any]) -> Future[Any]:
        """Sends a request. The future has its answer, or RequestError or ProgramError."""
        name = str(next(self._numbers))
        line = json.dumps({"id": name, "do": do, **fields}, ensure_ascii=False, separators=(",", ":"))
        asked = _Asked(line.encode("utf-8", "surrogatepass") + b"\n")
        self._send(name, asked)
        return asked.answer

    def close(self) -> None:
        """Ends the process. Requests after this start another one."""
        with self._lock:
            p, self._process = self._process, None
        if p is None:
            return
        with p.lock:
            _close(p.process.stdin)
        try:
            p.process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            p.process.kill()
            p.process.wait()

    def _send(self, name: str, asked: _Asked) -> None:
        while True:
            p = self._running()
            with p.lock:
                if p.ended:
                    continue
                p.waiting[name] = asked
                try:
                    assert p.process.stdin is not None
                    p.process.stdin.write(asked.line)
                    p.process.stdin.flush()
                except (OSError, ValueError):
                    pass  # it ends, and what waits is sent to the next one
            return

    def _running(self) -> _Process:
        with self._lock:
            if self._process is None or self._process.ended:
                self._process = _Process()
                threading.Thread(target=self._read, args=(self._process,), name="agentd", daemon=True).start()
            return self._process

    def _read(self, p: _Process) -> None:
        """Hands out answers until the process ends, and then sends to another one what has none."""
        assert p.process.stdout is not None
        for line in p.process.stdout:
            answer = json.loads(line)
            with p.lock:
                asked = p.waiting.pop(answer["id"], None)
            if asked is None:
                continue
            if "error" in answer:
                asked.answer.set_exception(RequestError(answer["error"]))
            else:
                asked.answer.set_result(answer["result"])
        with p.lock:
            p.ended = True
            left, p.waiting = p.waiting, {}
            _close(p.process.stdin)
        p.process.stdout.close()
        status = p.process.wait()
        p.said.seek(0)
        said = p.said.read().decode(errors="replace").strip()
        p.said.close()
        for name, asked in left.items():
            try:
                if not asked.again:
                    raise ProgramError(f"agentd ended with status {status} before it answered" + (f": {said}" if said else ""))
                asked.again = False
                self._send(name, asked)
            except ProgramError as e:
                asked.answer.set_exception(e)

    def _forget(self) -> None:
        """In a forked child: the process is the parent's."""
        self._lock = threading.Lock()
        self._process = None


def _close(stream: IO[bytes] | None) -> None:
    if stream is not None:
        try:
            stream.close()
        except OSError:
            pass  # what was not written has no reader any more


client = Client()


def in_order(futures: Iterator[Future[Any]], most: int) -> Iterator[Future[Any]]:
    """The futures in their order, with so many on their way at once."""
    ahead: list[Future[Any]] = []
    for future in futures:
        ahead.append(future)
        if len(ahead) >= most:
            yield ahead.pop(0)
    yield from ahead
