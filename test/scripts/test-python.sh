#!/bin/sh
# Tests the package for Python: test-python.sh NAME.... Its wheel, with the program in bin/, is installed into each
# of the virtual environments python/.venv/NAME, and python/tests/NAME is run there; mypy too, where it is installed.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd python && AGENTD_PROGRAM=$PWD/../bin/agentd .venv/build/bin/python -m hatchling build -t wheel -d "$work" >/dev/null)
cd python
for name; do
	bin=$PWD/.venv/$name/bin
	.venv/build/bin/uv pip install --quiet --reinstall --no-deps --python "$bin/python" "$work"/agentd-*.whl
	if [ "$name" = core ]; then # what needs more packages is checked where they are
		"$bin/mypy" --cache-dir "$work/mypy" --exclude 'agentd/(verifiers|inspect)' src/agentd tests/core
	elif [ -x "$bin/mypy" ] && [ -e "src/agentd/$name" ]; then
		"$bin/mypy" --cache-dir "$work/mypy" "src/agentd/$name"
	fi
	PATH="$bin:$PATH" PYTHONDONTWRITEBYTECODE=1 "$bin/python" -m pytest -q "tests/$name"
done
