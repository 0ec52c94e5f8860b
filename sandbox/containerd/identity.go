package containerd

import (
	"fmt"
	"os"

	"github.com/opencontainers/runtime-spec/specs-go"

	"agentd/sandbox/internal/system"
)

const (
	scriptUID     = 1000 // inside; never 0, whoever agentd runs as
	supervisorUID = 1001 // inside
)

// identity is who scripts run as.
type identity struct {
	system.User // seen from the host
	// mapped says that the container has a user namespace, in which the
	// identity is scriptUID. Without, scripts have its number inside as well.
	mapped bool
}

// identities lists the users that scripts may run as, best first: nobody, or agentd's
// own user if that is not root; in a user namespace if runtime and kernel can.
func identities() []identity {
	if os.Geteuid() == 0 {
		return []identity{{system.User{UID: system.Nobody, GID: system.Nobody}, true}, {system.User{UID: scriptUID, GID: scriptUID}, false}}
	}
	return []identity{{system.Self(), true}, {system.Self(), false}}
}

func (i identity) String() string {
	if i.mapped {
		return fmt.Sprintf("uid %d, in a user namespace", i.UID)
	}
	return fmt.Sprintf("uid %d, without a user namespace", i.UID)
}

// inside is the user as scripts see it.
func (i identity) inside() specs.User {
	if i.mapped {
		return specs.User{UID: scriptUID, GID: scriptUID}
	}
	return specs.User{UID: uint32(i.UID), GID: uint32(i.GID)}
}

// unusedIDs is where the other users of a container are mapped to on the host:
// ids that nobody has.
const unusedIDs = 0x70000000

// mappings are those of a container's user namespace, for users or groups.
func mappings(script int) []specs.LinuxIDMapping {
	return []specs.LinuxIDMapping{
		{ContainerID: 0, HostID: unusedIDs, Size: 1}, // the runtime, setting up
		{ContainerID: scriptUID, HostID: uint32(script), Size: 1},
		{ContainerID: supervisorUID, HostID: unusedIDs + supervisorUID, Size: 1},
	}
}
