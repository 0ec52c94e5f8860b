"""What the functions give, against the command line."""

import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import agentd
from agentd._program import client

ONE = {"a.json": '{"a": 1, "b": [1, 2, 3]}'}
TWO = {"a.json": '{"a": 1, "b": [1, 2, 4]}'}


def process() -> "subprocess.Popen[bytes]":
    agentd.domains(ONE)  # it runs
    assert client._process is not None
    return client._process.process


def test_the_program_of_the_wheel_is_on_the_path() -> None:
    assert agentd.program().parent == Path(sys.executable).parent
    said = subprocess.run(["agentd", "version"], capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"agentd {agentd.__version__}\n")


def test_a_score_is_that_of_the_command(tmp_path: Path) -> None:
    for name, files in {"before": ONE, "after": TWO}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.json").write_text(files["a.json"])
    said = subprocess.run(
        [agentd.program(), "score", "--domain", "json", "--reference", "before", "--candidate", "after", "--format", "json"],
        cwd=tmp_path, capture_output=True, check=True,
    )  # fmt: skip
    want = json.loads(said.stdout)
    for got in [agentd.score("json", ONE, TWO), agentd.score("json", tmp_path / "before", tmp_path / "after" / "a.json")]:
        assert (got.score, got.strict) == (want["score"], want["strict"])
        assert 0 < got.strict < 1
        assert got.differences == []
    change = agentd.score("json", ONE, TWO, differences=True).differences[0]
    assert (change.kind, change.was, change.now) == ("changed", "3", "4")


def picture(grey: int) -> dict[str, str | bytes]:
    """A PNG of one pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes([0, grey]))
    return {"a.png": b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")}


def test_pictures_are_bytes() -> None:
    assert agentd.diff(picture(9), picture(9)).same
    assert [d.status for d in agentd.diff(picture(9), picture(200)).documents] == ["changed"]


def test_a_difference_is_named() -> None:
    found = agentd.diff(ONE, TWO)
    assert not found.same
    assert [(d.document, d.domain, d.status) for d in found.documents] == [("a.json", "json", "changed")]
    laid_out = agentd.diff(ONE, {"a.json": json.dumps(json.loads(ONE["a.json"]), indent=4)})
    assert laid_out.same
    assert laid_out.documents[0].bytes is not None


def test_a_broken_file_says_where() -> None:
    found = agentd.diff(ONE, {"a.json": ONE["a.json"].replace(",", "", 1)})
    assert found.documents[0].status == "unreadable"
    assert [(s.file, s.line) for s in found.documents[0].broken] == [("a.json", 1)]


def test_a_score_says_what_became_of_form_and_bytes() -> None:
    laid_out = {"a.json": json.dumps(json.loads(ONE["a.json"]), indent=4)}
    kept = agentd.score("json", ONE, laid_out, differences=True)
    assert kept.strict == 1
    assert kept.bytes is not None
    assert kept.bytes.rest > 0
    assert agentd.score("json", ONE, laid_out).bytes is None
    cut = agentd.score("json", ONE, {"a.json": ONE["a.json"].replace(",", "", 1)}, differences=True)
    assert [(s.file, s.line) for s in cut.broken] == [("a.json", 1)]


def test_domains_of_a_document() -> None:
    assert len(agentd.domains()) > 50
    assert agentd.domains(ONE)[0].name == "json"


def test_the_exact_result_is_worth_1_and_doing_nothing_0() -> None:
    there = agentd.oracle("accounting1", "csv_journal")
    assert agentd.grade("accounting1", "csv_journal", there.expected).reward == 1
    idle = agentd.grade("accounting1", "csv_journal", there.documents)
    assert (idle.reward, idle.done) == (0, False)
    assert idle.files
    back = agentd.oracle("accounting1", "csv_journal", "backward")
    assert back.documents == there.expected
    env = next(e for e in agentd.environments() if e.name == "accounting1")
    assert back.expected == env.seed
    assert agentd.oracle("accounting1", "csv_journal", "backward", documents=there.expected).expected == env.seed
    assert there.instruction == next(e.forward for e in env.edits if e.name == "csv_journal")


def test_environments_of_a_folder_are_read_again_when_they_change(tmp_path: Path) -> None:
    subprocess.run([agentd.program(), "env", "import", "--to", str(tmp_path), exported(tmp_path)], check=True, capture_output=True)
    file = next(tmp_path.rglob("environment.yaml"))
    before = agentd.environments(tmp_path)[0]
    file.write_text(file.read_text().replace(before.title, "Another title"))
    assert agentd.environments(tmp_path)[0].title == "Another title" != before.title


def exported(folder: Path) -> str:
    """A data set file outside of a folder, with one environment."""
    file = folder.with_suffix(".jsonl")
    file.write_bytes(subprocess.run([agentd.program(), "env", "export", "json1"], capture_output=True, check=True).stdout)
    return str(file)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: agentd.score("jsn", ONE, TWO), 'unknown domain "jsn"; the nearest are json'),
        (lambda: agentd.score("json", {"a.json": "{"}, TWO), "the reference: "),
        (lambda: agentd.oracle("acounting1", 1), "the nearest are accounting1"),
        (lambda: agentd.oracle("accounting1", "nothing"), 'unknown edit "nothing"'),
        (lambda: agentd.oracle("accounting1", 1, documents={"x.txt": "?"}), "accounting1"),
        (lambda: agentd.environments("no/such/folder"), "no/such/folder"),
        (lambda: agentd.results("no-such.db").interactions, "no-such.db"),
    ],
)  # fmt: skip
def test_errors_are_in_the_programs_words(call: object, words: str) -> None:
    assert callable(call)
    with pytest.raises(agentd.RequestError) as raised:
        call()
    assert words in str(raised.value)


def test_a_text_is_no_path() -> None:
    with pytest.raises(TypeError):
        agentd.score("json", "a.json", TWO)  # type: ignore[arg-type]


def test_many_scores_come_in_the_order_of_their_pairs() -> None:
    pairs = [agentd.Pair("json", ONE, ONE if i % 3 else TWO) for i in range(1000)]
    assert [s.strict == 1 for s in agentd.score_many(pairs)] == [i % 3 != 0 for i in range(1000)]


def test_an_error_of_one_pair_is_raised_or_returned() -> None:
    pairs = [agentd.Pair("json", ONE, ONE), agentd.Pair("jsn", ONE, ONE), agentd.Pair("json", ONE, ONE)]
    found = list(agentd.score_many(pairs, errors="return"))
    assert [type(f) for f in found] == [agentd.Score, agentd.RequestError, agentd.Score]
    with pytest.raises(agentd.RequestError):
        list(agentd.score_many(pairs))


def test_threads_get_their_own_answers() -> None:
    def strict(i: int) -> bool:
        return agentd.score("json", ONE, {"a.json": f'{{"a": {i}, "b": [1, 2, 3]}}'}).strict == 1

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(strict, range(200))) == [i == 1 for i in range(200)]


def test_a_process_that_died_is_started_again() -> None:
    first = process()
    first.kill()
    first.wait()
    assert agentd.score("json", ONE, ONE).strict == 1
    assert process().pid != first.pid


def test_requests_of_a_process_that_dies_are_answered_by_the_next() -> None:
    first = process()
    killer = threading.Timer(0.05, first.kill)
    killer.start()
    pairs = (agentd.Pair("json", ONE, ONE) for _ in range(2000))
    assert sum(s.strict for s in agentd.score_many(pairs)) == 2000
    killer.join()


def test_a_request_that_two_processes_do_not_survive_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "agentd"
    script.write_text("#!/bin/sh\nread line\necho no room >&2\nexit 3\n")
    script.chmod(0o755)
    monkeypatch.setenv("AGENTD_PROGRAM", str(script))
    client.close()
    with pytest.raises(agentd.ProgramError, match="status 3 before it answered: no room"):
        agentd.domains()


def test_another_program_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "echo"
    script.write_text("#!/bin/sh\nexec cat\n")
    script.chmod(0o755)
    for chosen, words in [(script, "it answered what agentd does not"), ("/no/such", "starting /no/such: No such file"), (tmp_path, "Permission denied")]:
        monkeypatch.setenv("AGENTD_PROGRAM", str(chosen))
        client.close()
        client.close()
        with pytest.raises(agentd.ProgramError, match=words):
            agentd.domains()
    with pytest.raises(agentd.ProgramError, match="Permission denied"):
        _ = agentd.results("no-such.db").interactions


def test_a_program_that_answers_before_it_reads_on_is_no_deadlock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As agentd does when all its workers wait for their answers to be read."""
    script = tmp_path / "agentd"
    script.write_text(
        f"#!{sys.executable}\n"
        "import json, sys\n"
        "while lines := [line for _ in '12' if (line := sys.stdin.readline())]:\n"
        "    for line in lines:\n"
        "        print(json.dumps({'id': json.loads(line)['id'], 'result': 'x' * 2**20}), flush=True)\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("AGENTD_PROGRAM", str(script))
    client.close()
    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(lambda: [client.send("anything", {"of": "y" * 2**20}) for _ in range(8)])
        assert [len(answer.result(300)) for answer in sent.result(300)] == [2**20] * 8
    client.close()


def test_an_interrupt_in_the_middle_of_a_request_spoils_no_other() -> None:
    code = """
import agentd, json, signal, sys
large = {"a.json": json.dumps(["x" * 50] * 20_000)}
small = {"a.json": "[1, 2, 3, 4]"}
interrupted = 0
for i in range(40):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001 + 0.0005 * i)
        agentd.score("json", large, large)
    except KeyboardInterrupt:
        interrupted += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if i % 4 == 0:
        assert agentd.score("json", small, {"a.json": "[1, 2, 3, 5]"}).strict < agentd.score("json", small, small).strict == 1
print(interrupted)
"""
    code = "import signal; signal.signal(signal.SIGALRM, signal.default_int_handler)\n" + code
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


def test_a_forked_child_does_not_keep_the_process() -> None:
    code = """
import agentd, os, time
from agentd._program import client
agentd.domains()
process = client._process.process
if (child := os.fork()) == 0:
    time.sleep(600)
client.close()
os.kill(child, 9)
assert process.returncode == 0, process.returncode  # its input ended, and it was not killed
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)


def test_a_forked_child_has_a_process_of_its_own() -> None:
    code = """
import agentd, os
one = {"a.json": '{"a": 1}'}
assert agentd.score("json", one, one).strict == 1
if os.fork() == 0:
    assert agentd.score("json", one, one).strict == 1
    os._exit(0)
assert os.wait()[1] == 0 and agentd.score("json", one, one).strict == 1
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)


def test_the_process_ends_with_python() -> None:
    code = """
import agentd, os, signal, sys
from agentd._program import client
agentd.domains()
print(client._process.process.pid, flush=True)
if sys.argv[1] == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
"""
    for how, status in [("exit", 0), ("kill", -signal.SIGKILL)]:
        done = subprocess.run([sys.executable, "-c", code, how], capture_output=True, text=True, timeout=60)
        assert done.returncode == status, done.stderr
        for _ in range(200):
            if not runs(int(done.stdout)):
                break
            time.sleep(0.05)
        else:
            pytest.fail(f"after {how} the process still runs")


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rsplit(")", 1)[1].split()[0] == "Z")


def test_derived_edits_and_own_documents_have_exact_programs(tmp_path: Path) -> None:
    own = tmp_path / "own.ledger"
    own.write_text("".join(f"2024/01/{n % 28 + 1:02} Shop {n % 7}\n    expenses:food  {n + 3}.50 EUR\n    assets:cash\n\n" for n in range(60)))
    (env,) = agentd.environments(paths=[own])
    assert env.edits and env.seed == {"own.ledger": own.read_text()}
    for name, edit, source in ((env.name, env.edits[0].name, {"paths": [own]}), ("accounting1", "8", {"derived": 3})):
        there = agentd.oracle(name, edit, **source)
        assert agentd.grade(name, edit, there.expected, **source).reward == 1
    with pytest.raises(agentd.RequestError, match="unknown environment"):
        agentd.oracle(env.name, 1)
