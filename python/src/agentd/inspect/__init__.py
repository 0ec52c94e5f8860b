"""agentd in Inspect: the task `agentd/relay`, its solver and scorers, and the sandbox `agentd`.

    inspect eval agentd/relay -T domains=accounting --model openai/gpt-5.4
"""

from .relay import forward, no_ops_zero, play, relay, rs, strict
from .sandbox import Sandbox

__all__ = ["Sandbox", "forward", "no_ops_zero", "play", "relay", "rs", "strict"]
