#!/bin/sh
# Runs a command next to a private PostgreSQL server, from Debian's package: on a
# free port of 127.0.0.1, its data in a temporary folder, stopped and gone when
# the command ends. The command finds it through AGENTD_TEST_POSTGRES.
#
#   sh test/scripts/with-postgres.sh go test ./results ./harness/fleet ./cmd/agentd
set -eu

programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
if [ -z "$programs" ]; then
	echo "missing: PostgreSQL's server; sh test/scripts/install.sh test installs it" >&2
	exit 1
fi
data=$(mktemp -d)
as_server=""
if [ "$(id -u)" -eq 0 ]; then # the server refuses to run as root
	as_server="setpriv --reuid=postgres --regid=postgres --clear-groups"
	chown postgres:postgres "$data"
fi
stop() {
	$as_server "$programs/pg_ctl" -D "$data/db" -m immediate -s stop >/dev/null 2>&1 || true
	rm -rf "$data"
}
trap stop EXIT
trap 'exit 130' INT TERM

cd "$data" # which the server's user may read
$as_server "$programs/initdb" -D "$data/db" -U agentd -A trust --no-sync >"$data/log" 2>&1 || { cat "$data/log" >&2; exit 1; }
cd "$OLDPWD"
# A port may be taken; then another is tried.
for port in $(shuf -i 20000-60000 -n 20); do
	if $as_server "$programs/pg_ctl" -D "$data/db" -s -w -l "$data/db/server.log" start \
		-o "-p $port -h 127.0.0.1 -k $data/db -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=300"; then
		AGENTD_TEST_POSTGRES="postgres://agentd@127.0.0.1:$port/postgres?sslmode=disable"
		export AGENTD_TEST_POSTGRES
		"$@"
		exit
	fi
done
cat "$data/db/server.log" >&2
exit 1
