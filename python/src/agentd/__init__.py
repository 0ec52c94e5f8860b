"""What happens to documents when their editing is delegated to language models and agents.

    import agentd

    agentd.score("json", {"a.json": '{"a": 1}'}, {"a.json": '{"a": 2}'}).strict
    agentd.results("agentd.db").interactions

All functions may be called from any thread. They ask one process of the program agentd, which the package brings
along: it is started with the first call, started again if it ends, and ended with Python.
"""

from importlib.metadata import version as _version

from ._documents import Direction, Documents
from ._environments import Domain, Edit, Environment, Exact, domains, environments, oracle
from ._errors import AgentdError, ProgramError, RequestError
from ._program import program
from ._results import Results, results
from ._score import Bytes, BytesChange, Change, Diff, Document, Grade, Pair, Score, Slip, diff, grade, score, score_many

__version__ = _version("agentd")

__all__ = [
    "AgentdError",
    "Bytes",
    "BytesChange",
    "Change",
    "Diff",
    "Direction",
    "Document",
    "Documents",
    "Domain",
    "Edit",
    "Environment",
    "Exact",
    "Grade",
    "Pair",
    "ProgramError",
    "RequestError",
    "Results",
    "Score",
    "Slip",
    "diff",
    "domains",
    "environments",
    "grade",
    "oracle",
    "program",
    "results",
    "score",
    "score_many",
]
