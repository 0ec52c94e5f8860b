"""The taskset `agentd-relays` of verifiers, with the environment that plays it."""

from agentd.verifiers import Relay, Relays

__all__ = ["Relay", "Relays"]
