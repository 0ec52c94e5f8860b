#!/bin/sh
# Installs what release.sh has built for Linux on this machine's processor into Debian 12, and
# carries out the Dockerfile there: in roots that debootstrap makes, so it must be run as root.
# The archive and the package each run the version and a relay with scripts in the sandbox.
set -eu
[ "$(id -u)" -eq 0 ] || { echo "test-release: run as root, which debootstrap needs" >&2; exit 1; }
GO=${GO:-go}
arch=$(dpkg --print-architecture)
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
dist=$PWD/dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

started=$(date +%s)
step() { printf '\n== %s (%d s)\n' "$1" "$(($(date +%s) - started))"; }

inside() { BINDS="$dist:/mnt" WORKDIR=/tmp sh test/scripts/in-root.sh "$@"; }

# tried ROOT PROGRAM checks what an installed program does.
tried() {
	inside "$1" "$2" version
	inside "$1" sh -ec "
		$2 doctor --db /tmp/x.db || true
		$2 run --env accounting1 --model sim:frontier --policy agentic,direct --round-trips 2 --db /tmp/x.db
		$2 report --db /tmp/x.db --section survival"
}

step "the checksums hold"
(cd "$dist" && sha256sum --quiet --check SHA256SUMS)

step "a root of Debian 12"
debootstrap --variant=minbase --include=ca-certificates bookworm "$work/base" "$mirror" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }

step "the package"
cp --archive "$work/base" "$work/deb"
inside "$work/deb" sh -ec "apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /mnt/agentd_*_$arch.deb >/dev/null
	test -s /usr/share/man/man1/agentd-run.1.gz
	test -s /usr/share/bash-completion/completions/agentd"
tried "$work/deb" agentd

step "the archive"
# What it needs is installed; the package's own program is taken out.
inside "$work/deb" dpkg --purge agentd >/dev/null
mkdir "$work/deb/opt/agentd"
tar -C "$work/deb/opt/agentd" --strip-components=1 -xzf "$dist"/agentd_*_linux_"$arch".tar.gz
tried "$work/deb" /opt/agentd/agentd

step "the Dockerfile"
# The base image with Go is Debian with this machine's Go. Modules and compiled packages come
# from this machine's caches.
git clone --quiet --shared . "$work/source"
rm -rf "$work/source/.git" # .dockerignore
cp --archive "$work/base" "$work/go"
mkdir -p "$work/go/usr/local/go" "$work/go/root/go/pkg/mod" "$work/go/root/.cache/go-build"
BINDS="$($GO env GOROOT):/usr/local/go $($GO env GOMODCACHE):/root/go/pkg/mod $($GO env GOCACHE):/root/.cache/go-build" \
	GOPROXY=$($GO env GOPROXY) GOFLAGS=-buildvcs=false PASS="GOPROXY GOFLAGS" \
	python3 test/scripts/dockerfile.py Dockerfile "$work/source" "$work" \
	golang:1.26-bookworm="$work/go" debian:bookworm-slim="$work/base" -- \
	run --env accounting1 --model sim:frontier --policy agentic,direct --round-trips 2
step "all of it works"
