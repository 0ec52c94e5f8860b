#!/bin/sh
# Tests the package for Python: test-python.sh NAME.... Its wheel, with the program in bin/, is installed into each
# of the virtual environments python/.venv/NAME, and python/tests/NAME is run there; mypy too, where it is installed.
# Two are tested at a time. Compiled modules, and what mypy has read, stay in the virtual environment.
set -eu
cd "$(dirname "$0")/../../python"
if [ -z "${WHEEL-}" ]; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	AGENTD_PROGRAM=$PWD/../bin/agentd .venv/build/bin/python -m hatchling build -t wheel -d "$work" >/dev/null
	export work WHEEL="$(echo "$work"/agentd-*.whl)"
	printf '%s\n' "$@" | xargs -P 2 -I NAME sh -c \
		'sh ../test/scripts/test-python.sh NAME >"$work/NAME" 2>&1; status=$?; echo "python/tests/NAME:"; cat "$work/NAME"; exit $status'
	exit
fi
name=$1 venv=$PWD/.venv/$1
.venv/build/bin/uv pip install --quiet --reinstall --no-deps --python "$venv/bin/python" "$WHEEL"
check() { "$venv/bin/mypy" --cache-dir "$venv/mypy" "$@"; }
if [ "$name" = core ]; then # what needs more packages is checked where they are
	check --exclude 'agentd/(verifiers|inspect)' src/agentd tests/core
elif [ -x "$venv/bin/mypy" ] && [ -e "src/agentd/$name" ]; then
	check "src/agentd/$name"
fi
PATH="$venv/bin:$PATH" PYTHONPYCACHEPREFIX=$venv/pycache "$venv/bin/python" -m pytest -q "tests/$name"
