#!/bin/sh
# Builds wheels of the package for Python, with the program inside, into dist/: wheel.sh [OS/ARCH...],
# by default for this system. The same sources give the same bytes. It needs python/.venv/build.
set -eu
GO=${GO:-go}
[ $# -gt 0 ] || set -- "$($GO env GOOS)/$($GO env GOARCH)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target; do
	mkdir -p "$work/$target"
	export GOOS="${target%/*}" GOARCH="${target#*/}"
	CGO_ENABLED=0 $GO build -trimpath -ldflags '-s -w' -o "$work/$target/agentd" ./cmd/agentd
	sh test/scripts/licences.sh >"$work/$target/THIRD-PARTY.txt"
	(cd python && AGENTD_TARGET=$target AGENTD_PROGRAM=$work/$target/agentd AGENTD_LICENCES=$work/$target/THIRD-PARTY.txt \
		.venv/build/bin/python -m hatchling build -t wheel -d ../dist)
done
