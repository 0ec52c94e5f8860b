package containerd

import (
	"fmt"
	"os"
	"runtime"

	"github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"
)

const (
	scriptUID = 1000 // inside; never 0, whoever agentd runs as
	keeperUID = 1001 // inside
	// nobody is who scripts run as, seen from the host, where agentd runs as root.
	nobody = 65534
)

// identity is who scripts run as, seen from the host.
type identity struct {
	uid, gid int
	// mapped says that the container has a user namespace, in which the
	// identity is scriptUID. Without, scripts have its number inside as well.
	mapped bool
}

// identities lists whom scripts may run as, best first: nobody, or agentd's
// own user where that is not root, in a user namespace if runtime and kernel can.
func identities() []identity {
	if os.Geteuid() == 0 {
		return []identity{{nobody, nobody, true}, {scriptUID, scriptUID, false}}
	}
	uid, gid := os.Geteuid(), os.Getegid()
	return []identity{{uid, gid, true}, {uid, gid, false}}
}

func (i identity) String() string {
	if i.mapped {
		return fmt.Sprintf("uid %d, in a user namespace", i.uid)
	}
	return fmt.Sprintf("uid %d, without a user namespace", i.uid)
}

// inside is the user as scripts see it.
func (i identity) inside() specs.User {
	if i.mapped {
		return specs.User{UID: scriptUID, GID: scriptUID}
	}
	return specs.User{UID: uint32(i.uid), GID: uint32(i.gid)}
}

// do calls f as the identity, as far as files are concerned: a file that root
// made in a container would belong to a user who does not exist there.
func (i identity) do(f func() error) error {
	if os.Geteuid() != 0 {
		return f()
	}
	// It holds for this thread alone.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	unix.SetfsgidRetGid(i.gid)
	unix.SetfsuidRetUid(i.uid)
	defer func() {
		unix.SetfsuidRetUid(0)
		unix.SetfsgidRetGid(0)
	}()
	return f()
}

// unusedIDs is where the other users of a container are mapped to on the host:
// ids that nobody has.
const unusedIDs = 0x70000000

// mappings are those of a container's user namespace, for users or groups.
func mappings(script int) []specs.LinuxIDMapping {
	return []specs.LinuxIDMapping{
		{ContainerID: 0, HostID: unusedIDs, Size: 1}, // the runtime, setting up
		{ContainerID: scriptUID, HostID: uint32(script), Size: 1},
		{ContainerID: keeperUID, HostID: unusedIDs + keeperUID, Size: 1},
	}
}
