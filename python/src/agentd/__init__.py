"""What happens to documents when their editing is delegated to language models and agents."""

from importlib.metadata import version as _version

__version__ = _version("agentd")
