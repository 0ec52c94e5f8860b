#!/bin/sh
# in-root.sh ROOT COMMAND... runs a command with a folder as its root, as root and with the network of
# this machine. It changes the root as a container does: in a chroot the kernel would refuse the
# namespaces of agentd's sandbox. BINDS has folders HOST:INSIDE to mount where the root has a
# folder INSIDE, WORKDIR the folder to start in, and PASS names of variables to keep.
set -eu
keep=
for name in ${PASS:-}; do
	eval "value=\${$name-}"
	keep="$keep $name=$value"
done
# shellcheck disable=SC2016,SC2086 # the variables are the inner shell's; keep is a list
KEEP=$keep exec unshare --mount --propagation private sh -euc '
	root=$1
	shift
	mount --bind "$root" "$root"
	mount -t proc proc "$root/proc"
	mount --rbind /sys "$root/sys"
	mount --rbind /dev "$root/dev"
	touch "$root/etc/resolv.conf"
	mount --bind /etc/resolv.conf "$root/etc/resolv.conf"
	for bind in ${BINDS:-}; do
		[ ! -d "$root${bind#*:}" ] || mount --bind "${bind%%:*}" "$root${bind#*:}"
	done
	mkdir -p "$root/.old"
	cd "$root"
	PATH=$PATH:/usr/sbin:/sbin
	pivot_root . .old
	umount -l /.old
	rmdir /.old
	cd "${WORKDIR:-/}"
	exec env -i HOME=/root PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin $KEEP "$@"
' sh "$@"
