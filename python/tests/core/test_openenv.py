"""OpenEnv's own client plays the gym."""

import pytest

from openenv.core import GenericEnvClient  # type: ignore[import-untyped]

import agentd
from agentd.gym import Server

pytestmark = pytest.mark.filterwarnings("default")  # of OpenEnv itself


DOMAINS = [domain.name for domain in agentd.domains()]


@pytest.mark.parametrize("domain", DOMAINS)
def test_its_client_plays_an_episode(domain: str, server: Server) -> None:
    with GenericEnvClient(base_url=server.address).sync() as env:
        begun = env.reset(env="*", domain=domain, seed=1)  # also what is held out
        assert begun.reward is None and not begun.done
        seen = begun.observation
        assert seen["instruction"] and seen["targets"] and set(seen["documents"]) == set(seen["files"])

        tools = env.step({"type": "list_tools"}).observation["tools"]
        assert {"read_file", "write_file", "finish"} <= {tool["name"] for tool in tools}
        for name in seen["files"]:
            read = env.step({"type": "call_tool", "tool_name": "read_file", "arguments": {"path": name}})
            assert read.observation["tool_name"] == "read_file" and read.observation["result"] and read.reward is None

        ended = env.step({"type": "call_tool", "tool_name": "finish", "arguments": {}})
        while not ended.done:  # the first one says what is missing
            ended = env.step({"type": "call_tool", "tool_name": "finish", "arguments": {}})
        assert ended.reward == 0
        assert env.state()["step_count"] == ended.observation["step"] >= len(seen["files"]) + 2
