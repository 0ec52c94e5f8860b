#!/bin/sh
# Builds the archives and packages of a release into dist/: release.sh [OS/ARCH...], by default
# for Linux and macOS on amd64 and arm64. Each archive has the program, completions, manual pages
# and licences; Linux also gets a .deb. Next to them are a list of parts (CycloneDX) for each
# program and the checksums of all files.
#
# What is built is the last commit, in a clone of its own; changes that are not committed are no
# part of it. The same commit gives the same bytes: times are the commit's, owners are root, and
# nothing depends on the folder. It needs git, GNU tar, gzip and, for the .deb, dpkg-deb.
set -eu
umask 022
export LC_ALL=C TZ=UTC
GO=${GO:-go}

[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64
dist=$PWD/dist
work=$(mktemp -d)
from=$PWD # what the program for this machine is built from: here the go command has most of it already
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
	echo "release: some changes are not committed; they are no part of the release" >&2
	from=$work/source
fi
trap 'rm -rf "$work"' EXIT
rm -rf "$dist"
mkdir -p "$dist"
git clone --quiet --shared . "$work/source"
cd "$work/source"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# What is the same for all is written by the program for this machine.
$GO -C "$from" build -o "$work/agentd" ./cmd/agentd
$GO -C "$from" build -o "$work/parts" ./test/parts
version=$("$work/agentd" version | sed -n 's/^agentd //p')
mkdir -p "$work/common/completions" "$work/common/man"
for shell in bash zsh fish; do
	"$work/agentd" completion "$shell" >"$work/common/completions/agentd.$shell"
done
"$work/agentd" man "$work/common/man" --date "$(date -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)"
gzip -9n "$work/common/man"/*
cp LICENSE README.md CHANGELOG.md "$work/common/"

# deb ARCH PROGRAM writes a Debian package.
deb() {
	root=$work/deb-$1
	mkdir -p "$root/DEBIAN" "$root/usr/bin" "$root/usr/share/man/man1" "$root/usr/share/doc/agentd" \
		"$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" "$root/usr/share/fish/vendor_completions.d"
	cp "$2" "$root/usr/bin/agentd"
	cp "$work/common/man"/* "$root/usr/share/man/man1/"
	cp "$work/common/completions/agentd.bash" "$root/usr/share/bash-completion/completions/agentd"
	cp "$work/common/completions/agentd.zsh" "$root/usr/share/zsh/vendor-completions/_agentd"
	cp "$work/common/completions/agentd.fish" "$root/usr/share/fish/vendor_completions.d/agentd.fish"
	cp LICENSE "$root/usr/share/doc/agentd/copyright"
	gzip -9nc "${2%/*}/THIRD-PARTY.txt" >"$root/usr/share/doc/agentd/THIRD-PARTY.txt.gz"
	gzip -9nc CHANGELOG.md >"$root/usr/share/doc/agentd/changelog.gz"
	cat >"$root/DEBIAN/control" <<CONTROL
Package: agentd
Version: $version
Architecture: $1
Maintainer: agentd authors <agentd@localhost>
Installed-Size: $(find "$root/usr" -type f -printf '%s\n' | awk '{bytes += $1} END {print int((bytes + 1023) / 1024)}')
Depends: bubblewrap, python3
Recommends: ca-certificates
Section: utils
Priority: optional
Description: measure what happens to documents when their editing is delegated
 agentd has language models and agents edit documents in relays of round
 trips, forward and backward, and scores after each how much of the
 document survived.
CONTROL
	chmod -R u=rwX,go=rX "$root"
	find "$root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
	dpkg-deb --root-owner-group --threads-max=1 -Zxz -z6 --build "$root" "$dist/agentd_${version}_$1.deb" >/dev/null
}

for target; do
	os=${target%/*} arch=${target#*/}
	name=agentd_${version}_${os}_$arch
	mkdir -p "$work/$name"
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch $GO build -buildvcs=true -trimpath -ldflags '-s -w' -o "$work/$name/agentd" ./cmd/agentd
	cp -R "$work/common"/* "$work/$name/"
	GOOS=$os GOARCH=$arch sh test/scripts/licences.sh >"$work/$name/THIRD-PARTY.txt"
	tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=gnu -cf - "$name" |
		gzip -9n >"$dist/$name.tar.gz"
	"$work/parts" "$work/$name/agentd" "$version" "$(date -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" >"$dist/$name.cdx.json"
	if [ "$os" = linux ] && command -v dpkg-deb >/dev/null 2>&1; then
		deb "$arch" "$work/$name/agentd"
	elif [ "$os" = linux ]; then
		echo "release: dpkg-deb is missing, so there is no .deb for $arch" >&2
	fi
	printf '%s: program %s\n' "$target" "$(du -h --apparent-size "$work/$name/agentd" | cut -f1)"
done
(cd "$dist" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
(cd "$dist" && du -h --apparent-size -- *)
