#!/bin/sh
# Installs bubblewrap and Python 3 if they are missing, on Debian and Ubuntu.
# With the argument "test" also containerd, runc and PostgreSQL's server, of which
# the tests start their own, Node with npm, venv of Python, and Chromium; with "vm" what the virtual
# machine of test/scripts/vm.sh is made with; with "release" what test/scripts/test-release.sh needs.
set -eu

missing=""
command -v bwrap >/dev/null 2>&1 || missing="$missing bubblewrap"
[ -x /usr/bin/python3 ] || [ -x /usr/local/bin/python3 ] || missing="$missing python3"
case "${1:-}" in
"") ;;
test)
	# They lie in /usr/sbin, which is not on everybody's path.
	PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
	command -v containerd >/dev/null 2>&1 || missing="$missing containerd"
	command -v runc >/dev/null 2>&1 || missing="$missing runc"
	command -v npm >/dev/null 2>&1 || missing="$missing nodejs npm"
	python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
	command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
	ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$missing postgresql"
	;;
vm)
	PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
	command -v qemu-system-x86_64 >/dev/null 2>&1 || missing="$missing qemu-system-x86"
	command -v mke2fs >/dev/null 2>&1 || missing="$missing e2fsprogs"
	;;
release)
	PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"
	command -v debootstrap >/dev/null 2>&1 || missing="$missing debootstrap"
	command -v dpkg-deb >/dev/null 2>&1 || missing="$missing dpkg"
	;;
*)
	echo "usage: $0 [test|vm|release]" >&2
	exit 2
	;;
esac
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
	echo "missing:$missing. Install it with this system's package manager, then run the command again." >&2
	exit 1
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "missing:$missing. Run as root: apt-get install$missing" >&2
		exit 1
	fi
	as_root="sudo"
fi
echo "installing$missing with ${as_root:+$as_root }apt-get, which are needed"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of packages
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing
