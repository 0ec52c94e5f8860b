#!/bin/sh
# Runs the sandbox's own tests where cgroup v2 is all there is: in a virtual machine
# with Debian's kernel and systemd, emulated, so that it needs neither KVM nor root.
# For amd64, on Debian; it takes an hour on an idle machine.
#
#   sh test/scripts/vm.sh              # all of it
#   sh test/scripts/vm.sh 'doctor|cgroup'   # the parts whose name matches
#
# Everything lies in a temporary folder that is removed at the end. Of the machine it
# takes processors and 3 GiB of memory. LIMIT is how long it may take, in seconds.
set -eu

parts=${1:-.}
limit=${LIMIT:-14400}
here=$(cd "$(dirname "$0")/../.." && pwd)
PATH="$PATH:/usr/sbin:/sbin"

sh "$here/test/scripts/install.sh" vm

work=$(mktemp -d "${TMPDIR:-/tmp}/agentd-vm.XXXXXX")
machine=""
clean() {
	trap - EXIT INT TERM
	[ -z "$machine" ] || { kill "$machine" && wait "$machine"; } 2>/dev/null || true
	rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM

# Packages are fetched by this system's apt as for a machine that has none, so that
# it finds all that they need, and are unpacked only: none of their scripts is run.
echo "fetching packages"
mkdir -p "$work/apt/partial" "$work/root" "$work/tests"
: >"$work/status"
fetch() {
	apt-get -qq -y -o Dir::State::status="$work/status" -o Dir::Cache::archives="$work/apt" \
		-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o Debug::NoLocking=1 -o APT::Sandbox::User=root \
		"$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; echo "if packages are not found: apt-get update" >&2; exit 1; }
}
fetch --download-only --no-install-recommends install \
	base-files bash coreutils dash findutils grep kmod libc-bin mount passwd procps sed util-linux \
	dbus-user-session libpam-systemd systemd-sysv bubblewrap containerd python3 runc
kernel=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9]\)/\1/p' | head -n 1)
(cd "$work/apt" && fetch download "$kernel")

root=$work/root
mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64"
ln -s usr/bin usr/sbin usr/lib usr/lib64 "$root"
for package in "$work"/apt/*.deb; do
	dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink --no-same-owner -C "$root"
done
version=${kernel#linux-image-}

# What the packages' scripts would have done of what is needed here.
inside() { bwrap --unshare-user --uid 0 --gid 0 --bind "$root" / --dev /dev --proc /proc --tmpfs /tmp "$@"; }
[ -e "$root/usr/bin/sh" ] || ln -s dash "$root/usr/bin/sh"
[ -e "$root/usr/bin/awk" ] || ln -s mawk "$root/usr/bin/awk"
cat >"$root/etc/passwd" <<-END
	root:x:0:0::/root:/bin/sh
	messagebus:x:100:100::/nonexistent:/usr/sbin/nologin
	agent:x:1000:1000::/home/agent:/bin/sh
	nobody:x:65534:65534::/nonexistent:/usr/sbin/nologin
END
cat >"$root/etc/group" <<-END
	root:x:0:
	tty:x:5:
	messagebus:x:100:
	agent:x:1000:
	nogroup:x:65534:
END
for kind in account auth password session session-noninteractive; do
	echo "${kind%-*} required pam_permit.so" >"$root/etc/pam.d/common-$kind"
done
for kind in session session-noninteractive; do
	echo "session optional pam_systemd.so" >>"$root/etc/pam.d/common-$kind"
done
echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
echo agentd-vm >"$root/etc/hostname"
: >"$root/etc/fstab"
inside ldconfig
inside depmod "$version"
# A machine this slow should not also compile Python's library for each script.
inside python3 -m compileall -q -x 'lib2to3|test|idlelib' /usr/lib/python3* >/dev/null || true

echo "building the tests"
for package in internal/cgroup internal/seccomp bwrap/internal/warm bwrap containerd; do
	(cd "$here" && go test -c -o "$work/tests/" "./sandbox/$package")
done
(cd "$here" && go build -o "$work/tests/agentd" ./cmd/agentd)
mkdir "$root/tests"
cp "$work"/tests/* "$here/test/scripts/vm-inside.sh" "$root/tests/"
echo "$parts" >"$root/tests/parts"

cat >"$root/etc/systemd/system/tests.service" <<-END
	[Unit]
	After=basic.target dbus.socket systemd-logind.service systemd-user-sessions.service
	Wants=dbus.socket systemd-logind.service systemd-user-sessions.service
	[Service]
	Type=oneshot
	ExecStart=/bin/sh /tests/vm-inside.sh
	ExecStopPost=/bin/systemctl --no-block --force poweroff
	StandardOutput=tty
	StandardError=tty
	TTYPath=/dev/ttyS1
	TimeoutStartSec=infinity
	OOMPolicy=continue
	TasksMax=infinity
END

echo "making the disk"
# Whoever this is, on the disk all belongs to root.
truncate -s 3G "$work/disk"
unshare --user --map-root-user mke2fs -q -t ext4 -E lazy_itable_init=1,lazy_journal_init=1 -O ^has_journal -d "$root" "$work/disk"

echo "starting the machine"
: >"$work/results"
timeout "$limit" qemu-system-x86_64 -nodefaults -no-user-config -machine q35 \
	-accel tcg,thread=multi -cpu max -smp 2 -m 3G \
	-display none -nic none -no-reboot \
	-kernel "$root/boot/vmlinuz-$version" -append "root=/dev/nvme0n1 rw console=ttyS0 quiet panic=-1 systemd.unit=tests.service" \
	-drive "file=$work/disk,if=none,id=disk,format=raw,cache=unsafe" -device nvme,drive=disk,serial=1 \
	-serial "file:$work/console" -serial "file:$work/results" &
machine=$!
tail -f --pid="$machine" "$work/results" | sed -u 's/\r$//' &
wait "$machine" && ended=0 || ended=$?
machine=""
wait

if ! tr -d '\r' <"$work/results" | grep -Eq '^the machine is done: [1-9][0-9]* parts passed, 0 failed$'; then
	echo "not all went well (the emulator ended with $ended); the end of the machine's own words:" >&2
	tail -n 30 "$work/console" >&2
	exit 1
fi
