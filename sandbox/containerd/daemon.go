//go:build linux

package containerd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os/user"
	"strings"
	"time"

	client "github.com/containerd/containerd/v2/client"
	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/system"
)

const (
	namespace      = "agentd"
	defaultAddress = "/run/containerd/containerd.sock"

	// answerTime is how long the daemon may take for one request: normally milliseconds, but more
	// on an overloaded machine.
	answerTime = 20 * time.Second

	install = "install it with: apt-get install containerd runc"
)

// connect returns a client of the daemon at an address, and the daemon's version.
func connect(ctx context.Context, address string) (*client.Client, string, error) {
	if err := reach(ctx, address); err != nil {
		return nil, "", err
	}
	c, err := client.New(address, client.WithDefaultNamespace(namespace), client.WithTimeout(answerTime))
	if err != nil {
		return nil, "", fmt.Errorf("%w: connecting to containerd at %s: %w", sandbox.ErrUnavailable, address, err)
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	version, err := c.Version(ctx)
	if err == nil {
		err = recentEnough(version.Version)
	}
	if err != nil {
		c.Close()
		return nil, "", fmt.Errorf("%w: containerd at %s: %w", sandbox.ErrUnavailable, address, err)
	}
	return c, version.Version, nil
}

// reach returns why no connection to a daemon is possible. The client itself would retry for a
// long time first.
func reach(ctx context.Context, address string) error {
	path := strings.TrimPrefix(address, "unix://")
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	switch {
	case err == nil:
		return conn.Close()
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: there is no containerd at %s; %s, and start it with: systemctl start containerd",
			sandbox.ErrUnavailable, path, install)
	case errors.Is(err, unix.ECONNREFUSED):
		return fmt.Errorf("%w: containerd does not run: nothing listens at %s; start it with: systemctl start containerd",
			sandbox.ErrUnavailable, path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w: %s may not connect to containerd at %s; run agentd as root, or name a group that the user is in "+
			"as gid under [grpc] in /etc/containerd/config.toml and restart the daemon (who may connect can become root)",
			sandbox.ErrUnavailable, userName(), path)
	default:
		return fmt.Errorf("%w: connecting to containerd: %w", sandbox.ErrUnavailable, err)
	}
}

// recentEnough refuses old versions. For a build without a version number, the trial script
// decides.
func recentEnough(version string) error {
	if recent, known := system.AtLeast(version, 1, 6); known && !recent {
		return fmt.Errorf("version %s is too old: 1.6 or later is needed, as in Debian 12", version)
	}
	return nil
}

func userName() string {
	if who, err := user.Current(); err == nil {
		return "user " + who.Username
	}
	return "this user"
}
