"""Episodes of delegated editing: a client of `agentd gym`, for one session at a time.

An episode is one interaction, an edit that is asked for of documents, or a whole relay of them. `reset` begins it, `step` acts in
it, and `Step` says what came of that: an observation, a reward once an interaction has ended, and whether the episode is over.

    with Gym(domains=["accounting"]) as gym:
        step = gym.reset(seed=1)
        step = gym.answer(files={name: "" for name in step.observation.targets})
        print(step.reward)

A reward is from 0 to 1. The exact result earns 1, and doing nothing earns 0 (docs/gym.md). A relay pays for each interaction when it
ends, so that the sum of its rewards is their mean.
"""

import asyncio
import json
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self, cast
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection as AsyncConnection
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from ._documents import texts
from ._errors import AgentdError
from ._program import program, starting

__all__ = ["AsyncGym", "Grade", "Gym", "GymError", "Observation", "Server", "State", "Step", "Task", "Tool"]

Direction = Literal["forward", "backward"]

# A message holds all documents of an episode.
_MOST_BYTES = 64 << 20


class GymError(AgentdError):
    """What the server says it cannot do. `code` is OpenEnv's, such as VALIDATION_ERROR."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Tool:
    """A tool. `input_schema` is the JSON schema of its arguments."""

    name: str
    description: str
    input_schema: Mapping[str, Any]


@dataclass(frozen=True)
class Observation:
    """What a policy sees. An interaction that begins has the first five, a call of a tool the three after them.

    Attributes:
        instruction: What is asked for.
        files: Names of all files, in the order of a prompt. Some may have nothing to do with the task.
        targets: Names or patterns of the files to produce.
        documents: Contents of the files by name; of pictures `base64:` and their bytes in base64.
        prompt: Instruction and files as the policy `direct` words them. It is empty where documents are pictures, and where
            the episode was begun without `prompt`.
        tool_name: The tool that was called.
        result: What it said, errors included.
        failed: Whether `result` is an error.
        tools: The answer to `list_tools`.
        step: Steps taken in the episode, 0 after a reset.
        steps_left: Steps that the interaction may still take.
    """

    instruction: str = ""
    files: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    documents: Mapping[str, str] = field(default_factory=dict)
    prompt: str = ""
    tool_name: str = ""
    result: str = ""
    failed: bool = False
    tools: tuple[Tool, ...] = ()
    step: int = 0
    steps_left: int = 0


@dataclass(frozen=True)
class Grade:
    """An interaction that has ended. Numbers are from 0 to 1.

    Attributes:
        environment, edit, direction, interaction: Which it was; interactions of an episode count from 1.
        done: Whether what was asked for was carried out.
        forward: How much of what the exact program makes is there.
        idle: The same for doing nothing.
        progress: How far `forward` is above `idle`, 1 for the exact result.
        kept: How much of what the edit must not touch is still there.
        format: Whether the files asked for are there and can be read.
        files: Files that are missing, and files too many.
        reward: Of this interaction alone; a relay pays a share of it.
        forward_score: What a run of agentd stores of a forward step: `forward`, but 0 if the step failed. None of others.
        rs, strict: What it stores of a backward step: how much of the seed is there, by the published score and by the strict
            one. None of others, and where there is no score.
        rs_noops_zero: `rs`, but 0 if the forward step before it was not carried out.
        failure: Why the interaction failed, empty if it did not.
    """

    environment: str
    edit: str
    direction: Direction
    interaction: int
    done: bool
    forward: float
    idle: float
    progress: float
    kept: float
    format: bool
    reward: float
    files: tuple[str, ...] = ()
    forward_score: float | None = None
    rs: float | None = None
    strict: float | None = None
    rs_noops_zero: float | None = None
    failure: str = ""


@dataclass(frozen=True)
class Step:
    """What came of a reset or a step.

    Attributes:
        observation: What a policy sees now: of the next interaction, if one has ended.
        reward: None while an interaction goes on. In a relay, the interaction's share.
        done: Whether the episode is over.
        grade: The interaction that this step ended; None if it ended none.
        metadata: All that the server said of it.
    """

    observation: Observation
    reward: float | None
    done: bool
    grade: Grade | None
    metadata: Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """An edit of an environment in one direction.

    Attributes:
        split, index: `train` or `test`, and the number in it, from 0.
        env, edit, direction: Which it is.
        domain: Of the documents.
        verb, operations: What kind of edit it is.
        difficulty: easy, medium or hard, by how many lines are to be written.
        tokens: Of the environment's documents.
        instruction, targets: What is asked for, and the names or patterns of the files to produce.
    """

    split: str
    index: int
    env: str
    edit: str
    direction: Direction
    domain: str
    verb: str
    operations: tuple[str, ...]
    difficulty: str
    tokens: int
    instruction: str
    targets: tuple[str, ...]


@dataclass(frozen=True)
class State:
    """Which episode a session is in, how many steps it has taken, and which edit is to be done now."""

    episode_id: str
    step_count: int
    environment: str = ""
    edit: str = ""
    direction: Direction = "forward"


def _known(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that the dataclass has, lists as tuples."""
    named = {name: values[name] for name in kind.__dataclass_fields__ if values.get(name) is not None}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in named.items()}


def _step(data: Mapping[str, Any]) -> Step:
    seen = _known(Observation, data["observation"])
    seen["tools"] = tuple(Tool(**_known(Tool, tool)) for tool in seen.get("tools", ()))
    metadata = data.get("metadata") or {}
    grade = Grade(**_known(Grade, metadata)) if "forward" in metadata else None
    return Step(Observation(**seen), data.get("reward"), bool(data.get("done")), grade, metadata)


def _message(kind: str, data: Mapping[str, Any] | None = None) -> str:
    return json.dumps({"type": kind} | ({} if data is None else {"data": data}), ensure_ascii=False)


def _answer(kind: str, raw: str | bytes) -> Mapping[str, Any]:
    message = json.loads(raw)
    data = cast(Mapping[str, Any], message.get("data") or {})
    if message.get("type") == "error":
        raise GymError(str(data.get("message")), str(data.get("code")))
    if message.get("type") != kind:
        raise GymError(f"the server answered with {message.get('type')!r}, not {kind!r}", "EXECUTION_ERROR")
    return data


def _reset(choice: Mapping[str, Any]) -> str:
    return _message("reset", {name: value for name, value in choice.items() if value is not None and value is not False})


def _call(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "call_tool", "tool_name": tool, "arguments": dict(arguments)}


def _direct(text: str | None, files: Mapping[str, str | bytes] | None) -> dict[str, Any]:
    if (text is None) == (files is None):
        raise ValueError("an answer is either a text or files")
    return {"type": "answer", "text": text} if files is None else {"type": "answer", "files": texts(files)}


@contextmanager
def _answering() -> Iterator[None]:
    """Turns what a connection meets into a GymError: the server refuses, is not there, or has ended the session."""
    try:
        yield
    except HTTPError as e:
        raise GymError(e.read().decode(errors="replace").strip() or str(e), "VALIDATION_ERROR") from e
    except (OSError, WebSocketException) as e:
        raise GymError(f"there is no session: {e}", "SESSION_ERROR") from e


class Server:
    """`agentd gym` on a free port of this machine, until `close` or the end of this process. It serves any number of clients.

    Args:
        domains: The domains that episodes are drawn from; all if empty.
        data: A data set file or a folder of environments; the built-in ones if None.
        arguments: Other flags of `agentd gym`.
    """

    def __init__(self, *, domains: Iterable[str] = (), data: str | None = None, arguments: Iterable[str] = ()) -> None:
        command = [str(program()), "gym", "--listen", "127.0.0.1:0", "--until-eof"]
        if chosen := ",".join(domains):
            command += ["--domain", chosen]
        if data is not None:
            command += ["--data", data]
        self._said = tempfile.TemporaryFile()
        # The server ends with its input, so with this process, however that ends.
        with starting(self._said):
            self._process = subprocess.Popen(
                [*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, text=True
            )
        assert self._process.stdout is not None
        try:
            self.address = self._process.stdout.readline().strip()
            """Where it answers, such as http://127.0.0.1:40123."""
            if not self.address:
                self._process.wait()
                self._said.seek(0)
                said = self._said.read().decode(errors="replace").strip()
                raise GymError(said or f"agentd gym ended with status {self._process.returncode}", "SESSION_ERROR")
        except BaseException:
            self.close()
            raise

    def tasks(self, split: str = "train") -> list[Task]:
        """The tasks of a split, `train` or `test`; all edits of a document are in the same one."""
        asked = Request(f"{self.address}/gym/tasks", json.dumps({"split": split}).encode(), {"Content-Type": "application/json"})
        with _answering(), urlopen(asked) as answer:
            return [Task(**_known(Task, task)) for task in json.load(answer)["tasks"]]

    def close(self) -> None:
        """End the server, and with it all sessions."""
        self._process.terminate()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._said):
            if stream is not None:
                stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _socket(address: str) -> str:
    return "ws" + address.removeprefix("http").rstrip("/") + "/ws" if address.startswith("http") else address


class Gym:
    """One session of a gym. Threads that share it ask one after the other. An interrupted question ends the session.

    Args:
        address: Of a server, such as http://127.0.0.1:8000. If None, one is started, and ended by `close`.
        domains, data, arguments: Of the server that is started (`Server`).
    """

    def __init__(
        self, address: str | None = None, *, domains: Iterable[str] = (), data: str | None = None, arguments: Iterable[str] = ()
    ) -> None:
        self._server = Server(domains=domains, data=data, arguments=arguments) if address is None else None
        self.address = address or cast(Server, self._server).address
        self._turn = threading.Lock()
        with ExitStack() as opened:
            if self._server is not None:
                opened.callback(self._server.close)
            with _answering():
                self._connection: ClientConnection = opened.enter_context(
                    connect(_socket(self.address), max_size=_MOST_BYTES, proxy=None, close_timeout=1)
                )
            self._open = opened.pop_all()

    def _ask(self, kind: str, message: str) -> Mapping[str, Any]:
        with self._turn, _answering():
            try:
                self._connection.send(message)
                said = self._connection.recv()
            except BaseException:
                self._connection.close()  # what comes yet would be read as the answer to the next question
                raise
        return _answer(kind, said)

    def reset(
        self,
        *,
        env: str | None = None,
        edit: str | None = None,
        direction: Direction | None = None,
        round_trips: int | None = None,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str | None = None,
        index: int | None = None,
        domain: str | None = None,
        verb: str | None = None,
        difficulty: str | None = None,
        max_tokens: int | None = None,
        prompt: bool = False,
    ) -> Step:
        """Begin an episode, and leave the one before.

        Args:
            env, edit, direction: The interaction; what is not said is drawn by the seed.
            round_trips: Makes the episode a relay of that many round trips.
            seed: The same seed gives the same episode.
            episode_id: What results call the episode.
            split: `train`, or `test` for what is held out.
            index: Which of the tasks that fit, from 0; drawn by the seed if None.
            domain, verb, difficulty, max_tokens: Which tasks fit. `difficulty` is easy, medium or hard.
            prompt: Have observations show `prompt`.

        Raises:
            GymError: There is no such task.
        """
        choice = {name: value for name, value in locals().items() if name != "self"}
        return _step(self._ask("observation", _reset(choice)))

    def step(self, action: Mapping[str, Any]) -> Step:
        """Act as OpenEnv words it: `{"type": "call_tool" | "list_tools" | "answer", …}`."""
        return _step(self._ask("observation", _message("step", action)))

    def call(self, tool: str, **arguments: Any) -> Step:
        """Call a tool. `finish` ends the interaction."""
        return self.step(_call(tool, arguments))

    def answer(self, text: str | None = None, *, files: Mapping[str, str | bytes] | None = None) -> Step:
        """End the interaction with an answer: the files to produce by name, or a text that shows them in fenced blocks."""
        return self.step(_direct(text, files))

    def state(self) -> State:
        """The session's episode."""
        return State(**_known(State, self._ask("state", _message("state"))))

    def close(self) -> None:
        """End the session, and the server if it was started here."""
        self._open.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class AsyncGym:
    """`Gym` for asyncio: connect with `async with AsyncGym(…) as gym`, or `await gym.connect()`.

    Tasks that share it ask one after the other. A question that is cancelled, by a timeout too, ends the session.
    """

    def __init__(
        self, address: str | None = None, *, domains: Iterable[str] = (), data: str | None = None, arguments: Iterable[str] = ()
    ) -> None:
        self._server = Server(domains=domains, data=data, arguments=arguments) if address is None else None
        self.address = address or cast(Server, self._server).address
        self._turn = asyncio.Lock()
        self._connection: AsyncConnection | None = None

    async def connect(self) -> Self:
        """Begin the session."""
        try:
            with _answering():
                self._connection = await connect_async(_socket(self.address), max_size=_MOST_BYTES, proxy=None, close_timeout=1)
        except BaseException:
            self._end()
            raise
        return self

    async def _ask(self, kind: str, message: str) -> Mapping[str, Any]:
        if self._connection is None:
            raise GymError("the session has not begun: connect first", "SESSION_ERROR")
        async with self._turn:
            with _answering():
                try:
                    await self._connection.send(message)
                    said = await self._connection.recv()
                except BaseException:
                    self._connection.transport.abort()  # what comes yet would be read as the answer to the next question
                    raise
        return _answer(kind, said)

    async def reset(
        self,
        *,
        env: str | None = None,
        edit: str | None = None,
        direction: Direction | None = None,
        round_trips: int | None = None,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str | None = None,
        index: int | None = None,
        domain: str | None = None,
        verb: str | None = None,
        difficulty: str | None = None,
        max_tokens: int | None = None,
        prompt: bool = False,
    ) -> Step:
        """See `Gym.reset`."""
        choice = {name: value for name, value in locals().items() if name != "self"}
        return _step(await self._ask("observation", _reset(choice)))

    async def step(self, action: Mapping[str, Any]) -> Step:
        """See `Gym.step`."""
        return _step(await self._ask("observation", _message("step", action)))

    async def call(self, tool: str, **arguments: Any) -> Step:
        """See `Gym.call`."""
        return await self.step(_call(tool, arguments))

    async def answer(self, text: str | None = None, *, files: Mapping[str, str | bytes] | None = None) -> Step:
        """See `Gym.answer`."""
        return await self.step(_direct(text, files))

    async def state(self) -> State:
        """See `Gym.state`."""
        return State(**_known(State, await self._ask("state", _message("state"))))

    def _end(self) -> None:
        if self._server is not None:
            self._server.close()

    async def close(self) -> None:
        """End the session, and the server if it was started here."""
        if self._connection is not None:
            await self._connection.close()
        self._end()

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()
