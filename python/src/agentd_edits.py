"""The taskset `agentd-edits` of verifiers: single edits."""

from agentd.verifiers import Edits

__all__ = ["Edits"]
