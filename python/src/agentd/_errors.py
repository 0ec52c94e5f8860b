"""What can go wrong, in the program's words."""


class AgentdError(Exception):
    """What the program or this package says about a request that could not be met."""


class RequestError(AgentdError, ValueError):
    """The request is at fault: an unknown name, a document that cannot be read, files that are missing."""


class ProgramError(AgentdError, RuntimeError):
    """The program is missing, ended before it answered, or failed for a reason of its own."""
