"""A gym as a Gymnasium environment: text in, text out.

    import gymnasium

    env = gymnasium.make("agentd.gymnasium:agentd/RoundTrip-v0", domains=["accounting"])
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step({"tool": "", "text": answer})

An observation is `{"prompt", "result"}`: what an interaction begins with, and what the tool of the last action said. An action is
`{"tool", "text"}`: a tool with its arguments as a JSON object, or an answer, where `tool` is empty. The reward is 0.0 until an
interaction ends. `info` holds the names of the files and targets, the instruction, and the parts of a reward.
"""

from collections.abc import Iterable
from typing import Any

import gymnasium
from gymnasium import spaces

from .gym import Gym, Step

__all__ = ["RoundTrip", "Unicode"]

Observation = dict[str, Any]


class Unicode(spaces.Text):
    """Any text of at most `max_length` characters. Samples are of letters and digits."""

    def contains(self, x: Any) -> bool:
        """Whether x is such a text."""
        return isinstance(x, str) and len(x) <= self.max_length


class RoundTrip(gymnasium.Env[Observation, Observation]):
    """Relays of round trips; an interaction with `round_trips=0`.

    Args:
        address, domains, data, arguments: Of the gym (`agentd.Gym`).
        round_trips: Of an episode, each a forward and a backward edit.
        max_length: The most characters of a text.

    `reset` takes in its options what `agentd.Gym.reset` takes: env, edit, split, domain, verb, difficulty …
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        address: str | None = None,
        *,
        domains: Iterable[str] = (),
        data: str | None = None,
        arguments: Iterable[str] = (),
        round_trips: int = 1,
        max_length: int = 4 << 20,
    ) -> None:
        self._gym = Gym(address, domains=domains, data=data, arguments=arguments)
        self._round_trips = round_trips
        text = Unicode(max_length, min_length=0)
        self.observation_space = spaces.Dict({"prompt": text, "result": text})
        self.action_space = spaces.Dict({"tool": Unicode(64, min_length=0), "text": text})

    def _seen(self, step: Step) -> tuple[Observation, dict[str, Any]]:
        seen = step.observation
        info = {"instruction": seen.instruction, "files": seen.files, "targets": seen.targets, "steps_left": seen.steps_left}
        return {"prompt": seen.prompt, "result": seen.result}, info | {name: value for name, value in step.metadata.items() if name != "episode_id"}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode, the same for the same seed."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(1, 2**31))
        return self._seen(self._gym.reset(**({"round_trips": self._round_trips, "seed": drawn} | (options or {})), prompt=True))

    def step(self, action: Observation) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Call a tool, or answer. It is never truncated: an interaction that uses up its steps ends without a reward."""
        if action["tool"]:
            step = self._gym.step({"type": "call_tool", "tool_name": action["tool"], "arguments": action["text"]})
        else:
            step = self._gym.answer(action["text"])
        observation, info = self._seen(step)
        return observation, step.reward or 0.0, step.done, False, info

    def close(self) -> None:
        """End the session, and the server if it was started here."""
        self._gym.close()


gymnasium.register("agentd/RoundTrip-v0", f"{__name__}:RoundTrip")
