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
from contextlib import contextmanager, suppress
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


@contextmanager
def starting(said: IO[bytes] | None = None) -> Iterator[None]:
    """Turns the system's refusal to start the program into a ProgramError, and closes the file for its standard error."""
    try:
        yield
    except OSError as e:
        if said is not None:
            said.close()
        raise ProgramError(f"starting {program()}: {e.strerror or e}") from e


def run(*args: str, fine: tuple[int, ...] = (0,)) -> bytes:
    """Runs the program once and returns what it prints on standard output.

    Raises:
        RequestError: Its exit status is 2: the arguments, or what they name, are at fault.
        ProgramError: It ends with another exit status than those that are fine.
    """
    with starting():
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
        self.lock = threading.Lock()  # of waiting and ended
        self.writing = threading.Lock()  # of the input; answers are read meanwhile
        with starting(self.said):
            self.process = subprocess.Popen(
                [program(), "answer", "--log-format", "text"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.said,
                start_new_session=True,  # Ctrl+C is Python's to handle
            )

    def write(self, line: bytes) -> None:
        """Writes a request. One that was cut off by an exception, such as KeyboardInterrupt, ends the process: what
        is written after it would be read as a part of it."""
        assert self.process.stdin is not None
        with self.writing:
            try:
                self.process.stdin.write(line)
                self.process.stdin.flush()
            except (OSError, ValueError):
                pass  # it ends, and what waits is sent to the next one
            except BaseException:
                self.process.kill()
                raise

    def answers(self) -> Iterator[dict[str, Any]]:
        """What it answers, until it ends. A program that answers anything else is ended."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            try:
                answer = json.loads(line)
                if not (answer.keys() >= {"id", "result"} or answer.keys() >= {"id", "error"}):
                    raise ValueError
            except (ValueError, AttributeError):
                self.said.write(b"it answered what agentd does not: " + line[:200])
                self.process.kill()
                return
            yield answer


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
        try:
            if p.writing.acquire(timeout=_SECONDS_TO_END):  # else a request is stuck in it
                with suppress(OSError, ValueError):
                    _close(p.process.stdin)
                p.writing.release()
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
                p.write(asked.line)
            except BaseException:
                with p.lock:
                    p.waiting.pop(name, None)
                raise
            return

    def _running(self) -> _Process:
        with self._lock:
            if self._process is None or self._process.ended:
                p = _Process()
                threading.Thread(target=self._read, args=(p,), name="agentd", daemon=True).start()
                self._process = p
            return self._process

    def _read(self, p: _Process) -> None:
        """Hands out answers until the process ends, and then sends to another one what has none."""
        assert p.process.stdout is not None
        for answer in p.answers():
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
        with p.writing:
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
        """In a forked child: the process is the parent's, and ends with its input, which the child must not hold open."""
        self._lock = threading.Lock()
        p, self._process = self._process, None
        if p is not None and p.process.stdin is not None and not p.process.stdin.closed:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, p.process.stdin.fileno(), inheritable=False)
            os.close(null)


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
