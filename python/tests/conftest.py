"""The stand-in model, and the program."""

import subprocess
from collections.abc import Iterator

import pytest

from agentd._program import program


@pytest.fixture(scope="session")
def standin() -> Iterator[str]:
    """The address of the stand-in, as OpenAI's clients want it."""
    server = subprocess.Popen([str(program()), "sim-server", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    yield server.stdout.readline().strip()
    server.terminate()
    server.wait()
    server.stdout.close()
