#!/bin/sh
# Runs a command whose temporary files are in memory, if there is room: tests store results, and a store waits for
# its disk.
#
#   sh test/scripts/in-memory.sh go test ./results
set -eu

least=4194304 # KiB
room=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)
if [ ! -w /dev/shm ] || [ "${room:-0}" -lt $least ]; then
	exec "$@"
fi
TMPDIR=$(mktemp -d /dev/shm/agentd-test-XXXXXXXX)
export TMPDIR
chmod 755 "$TMPDIR" # a database server and scripts in sandboxes have users of their own
trap 'chmod -R u+rwx "$TMPDIR" || true; rm -rf "$TMPDIR" || true' EXIT # the status stays that of the command
trap 'exit 130' INT TERM
"$@"
