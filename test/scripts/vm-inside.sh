#!/bin/sh
# Runs inside of the virtual machine of test/scripts/vm.sh, as root: each part below in
# the cgroup that it is about.
set -u

parts=$(cat /tests/parts)
passed=0
failed=0
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin HOME=/root LANG=C.UTF-8
mkdir -p /home/agent /root && chown agent:agent /home/agent
stty -F /dev/ttyS1 raw 2>/dev/null

# part NAME COMMAND… runs one part and says how it ended.
part() {
	name=$1
	shift
	echo "$name" | grep -Eq "$parts" || return 0
	echo "=== $name"
	began=$(date +%s)
	"$@" >/tmp/log 2>&1
	code=$?
	case $name in
	*doctor*) cat /tmp/log ;;
	*)
		count /tmp/log
		# What stopped before its end has nothing to say of the tests after it.
		if [ "$code" -ne 0 ] && ! grep -Eq '^(panic|fatal error)' /tmp/log && [ -n "$(failures)" ]; then again "$@" && code=0; fi
		;;
	esac
	if [ "$code" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
	echo "=== $name: exit code $code after $(($(date +%s) - began)) s"
}

count() {
	echo "$(grep -c -E '^ *--- PASS' "$1") tests passed, $(grep -c -E '^ *--- FAIL' "$1") failed, $(grep -c -E '^ *--- SKIP' "$1") were skipped"
	grep -E -B1 '^ *--- SKIP' "$1"
	grep -E '^(panic|fatal error|\*\*\* Test killed)' "$1"
}

# failures names the tests that failed, and not those that these are parts of.
failures() {
	sed -n 's/^ *--- FAIL: \([^ ]*\) .*/\1/p' /tmp/log |
		awk '{ name[NR] = $0 } END { for (i in name) { leaf = 1; for (j in name) if (index(name[j], name[i] "/") == 1) leaf = 0; if (leaf) print name[i] } }'
}

# again runs each test that failed once more and alone, with much more time: on a
# machine that is slow and busy, time alone makes some fail.
again() {
	bad=0
	for test in $(failures); do
		only=$(echo "$test" | sed 's/[].[*^$()+?{}|\\]/\\&/g; s#/#$/^#g; s/.*/^&$/')
		if AGENTD_TEST_SLOWER=$((AGENTD_TEST_SLOWER * 4)) "$@" "-test.run=$only" -test.parallel=1 >/tmp/again 2>&1; then
			echo "failed at first, passed alone: $test"
		else
			echo "FAILED, also alone: $test"
			grep -v -E '^ *(=== (RUN|PAUSE|CONT)|--- PASS)' /tmp/again
			bad=1
		fi
	done
	return $bad
}

# Root, as a service of its own.
as_root() { systemd-run --quiet --wait --pipe --collect -E PATH -E HOME -E LANG -E AGENTD_TEST_SLOWER "$@"; }
# The same where systemd leaves the service's cgroup to it.
root_delegated() { as_root -p Delegate=yes "$@"; }
# An ordinary user, in a service's cgroup, which belongs to root.
as_user() { systemd-run --quiet --wait --pipe --collect --uid=agent --gid=agent -E PATH -E LANG -E AGENTD_TEST_SLOWER -E HOME=/home/agent -p WorkingDirectory=/home/agent -- "$@"; }
# The same in a subtree that systemd delegates to him.
delegated() {
	as_user env XDG_RUNTIME_DIR=/run/user/1000 DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus \
		systemd-run --quiet --user --scope -p Delegate=yes -- "$@"
}
# How much slower the machine is taken to be than others.
export AGENTD_TEST_SLOWER=10
go_test() { program=$1; shift; echo "/tests/$program.test -test.v -test.timeout=40m -test.parallel=3 $*"; }

uname -r
stat -fc 'cgroups: %T' /sys/fs/cgroup
systemctl start user@1000.service
attacks='-test.run=^TestAttacks$'

cd /tmp || exit 1
# shellcheck disable=SC2046 # words
{
	part "root: doctor" as_root /tests/agentd doctor
	part "root, delegated: doctor" root_delegated /tests/agentd doctor
	part "delegated: doctor" delegated /tests/agentd doctor
	part "user: doctor" as_user /tests/agentd doctor
	part "root: cgroup" as_root $(go_test cgroup)
	part "root, delegated: cgroup" root_delegated $(go_test cgroup)
	part "delegated: cgroup" delegated $(go_test cgroup)
	part "user: cgroup" as_user $(go_test cgroup)
	part "root: seccomp" as_root $(go_test seccomp)
	part "delegated: attacks" delegated $(go_test bwrap $attacks)
	part "root: attacks" as_root $(go_test bwrap $attacks)
	part "user: attacks" as_user $(go_test bwrap $attacks)
	part "root: attacks, containerd" as_root $(go_test containerd $attacks)
	part "root: attacks, cold" as_root $(go_test bwrap -test.run='^TestAttacks(Cold|Alone)$')
	part "delegated: attacks, cold" delegated $(go_test bwrap -test.run='^TestAttacks(Cold|Alone)$')
	part "root: bwrap" as_root $(go_test bwrap -test.skip=^TestAttacks)
	part "delegated: bwrap" delegated $(go_test bwrap -test.skip=^TestAttacks)
	part "root: warm" as_root $(go_test warm)
	part "delegated: warm" delegated $(go_test warm)
	part "root: containerd" as_root $(go_test containerd -test.skip='^TestAttacks')
}
left=$(find /sys/fs/cgroup -name 'agentd-*')
[ -z "$left" ] || echo "cgroups that are left for the next start: $left"
echo "the machine is done: $passed parts passed, $failed failed"
