"""How many pairs of small documents the package scores in a second."""

import time
from collections.abc import Iterator

import agentd


def pairs(n: int) -> Iterator[agentd.Pair]:
    for i in range(n):
        yield agentd.Pair("json", {"a.json": f'{{"a": {i}, "b": [1, 2, 3]}}'}, {"a.json": f'{{"a": {i}, "b": [1, 2, 4]}}'})


for _ in agentd.score_many(pairs(1000)):
    pass
started = time.perf_counter()
scored = sum(1 for _ in agentd.score_many(pairs(20_000)))
print(f"{scored / (time.perf_counter() - started):,.0f} pairs a second")
