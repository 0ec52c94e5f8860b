"""The Gymnasium environment."""

import gymnasium
from gymnasium.utils.env_checker import check_env

from agentd.gym import Gym, Server


def test_env_checker(server: Server) -> None:
    check_env(gymnasium.make("agentd.gymnasium:agentd/RoundTrip-v0", address=server.address).unwrapped, skip_render_check=True)


def test_a_round_trip_pays_for_the_two_ways(server: Server) -> None:
    env = gymnasium.make("agentd.gymnasium:agentd/RoundTrip-v0", address=server.address)
    observation, info = env.reset(seed=1, options={"env": "accounting1"})
    assert observation["prompt"].startswith(info["instruction"].split("\n")[0])
    observation, reward, terminated, truncated, info = env.step({"tool": "read_file", "text": '{"path": "none"}'})
    assert observation["result"].startswith("Error") and reward == 0 and not terminated
    rewards = []
    for _ in range(2):
        observation, reward, terminated, truncated, info = env.step({"tool": "", "text": "I cannot do that."})
        rewards.append(reward)
    assert terminated and not truncated and rewards == [0, 0]
    env.close()


def test_the_same_seed_gives_the_same_episode(server: Server) -> None:
    with Gym(server.address) as one, Gym(server.address) as other:
        assert one.reset(seed=7).observation == other.reset(seed=7).observation
