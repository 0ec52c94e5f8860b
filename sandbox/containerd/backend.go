//go:build linux

package containerd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	client "github.com/containerd/containerd/v2/client"

	"agentd/sandbox"
	"agentd/sandbox/internal/owner"
	"agentd/sandbox/internal/reads"
	"agentd/sandbox/internal/session"
)

// DefaultRuntime runs containers with runc.
const DefaultRuntime = "io.containerd.runc.v2"

// Options choose the daemon and what containers are made of. The zero value fits most
// machines.
type Options struct {
	// Address is the daemon's socket; "" is /run/containerd/containerd.sock.
	Address string
	// Runtime is the name of a runtime that the daemon has; "" is
	// DefaultRuntime. With gVisor installed, io.containerd.runsc.v1 is another.
	Runtime string
	// Image is the scripts' file system, with a python3 on its PATH: the path of an OCI or
	// Docker archive, or the reference of an image, which is pulled if the daemon has none
	// of that name. "" is the host's /usr, read-only.
	Image string
}

// Backend makes runners whose scripts run in containers. It is safe for
// concurrent use.
type Backend struct {
	options  Options
	client   *client.Client
	prefix   string // begins the names of everything that belongs to this process
	folder   string // folder of this back end; its contents are named below
	files    *files
	image    string // snapshot of the image's root file system; "" for the host's
	identity identity
	version  string // of the daemon
	facts    session.Facts
	reads    reads.Pool
}

// Names in a back end's folder on the host.
const (
	baseName      = "base"    // root file system, without the mounts
	devicesName   = "dev"     // mounted at /dev
	terminalsName = "dev-tty" // the same, with terminals, for commands
	streamsName   = "streams" // named pipes
)

// New connects to the daemon, removes what killed runs of agentd left there, and runs a trial
// script. It fails unless the script is isolated as the package promises. Errors wrap
// sandbox.ErrUnavailable and say what to install or allow, unless ctx ended.
func New(ctx context.Context, options Options) (*Backend, error) {
	options.Address = cmp.Or(options.Address, defaultAddress)
	options.Runtime = cmp.Or(options.Runtime, DefaultRuntime)
	b := &Backend{options: options}
	err := b.open(ctx)
	if err == nil {
		return b, nil
	}
	b.Close()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !errors.Is(err, sandbox.ErrUnavailable) {
		err = fmt.Errorf("%w: containerd at %s: %w", sandbox.ErrUnavailable, options.Address, err)
	}
	return nil, err
}

// open does the work of New.
func (b *Backend) open(ctx context.Context) (err error) {
	if b.prefix, err = owner.Prefix(); err != nil {
		return err
	}
	if b.client, b.version, err = connect(ctx, b.options.Address); err != nil {
		return err
	}
	if err := removeStale(ctx, b.client); err != nil {
		return err
	}
	if b.folder, err = owner.MakeFolder(); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(b.folder, streamsName), 0o700); err != nil {
		return err
	}
	for name, terminals := range map[string]bool{devicesName: false, terminalsName: true} {
		if err := makeDevices(filepath.Join(b.folder, name), terminals); err != nil {
			return err
		}
	}
	if b.options.Image == "" {
		b.files, err = hostFiles(b.folder)
	} else {
		b.image, b.files, err = openImage(ctx, b.client, b.options.Image)
	}
	if err != nil {
		return err
	}
	return session.ChooseUser(ctx, identities(), func(candidate identity) (err error) {
		b.identity = candidate
		b.facts, err = session.TryOut(ctx, b, session.Facts{"uid": fmt.Sprint(candidate.inside().UID)})
		return err
	})
}

// Name is the name of this back end in flags and experiments.
func (b *Backend) Name() string { return "containerd" }

// NewRunner returns a runner with the given limits. The first script starts its container. Close
// the runners before the back end.
func (b *Backend) NewRunner(limits sandbox.Limits) (sandbox.Runner, error) {
	r := &runner{backend: b}
	var err error
	r.Runner, err = session.NewRunner(r, b.identity.As, &b.reads, limits)
	return r, err
}

// Close ends the connection to the daemon and removes the back end's folder.
func (b *Backend) Close() error {
	var failed []error
	if b.client != nil {
		failed = append(failed, b.client.Close())
	}
	if b.folder != "" {
		failed = append(failed, os.RemoveAll(b.folder))
	}
	return errors.Join(failed...)
}

// Describe implements sandbox.Backend.
func (b *Backend) Describe() []string {
	system := "the host's /usr"
	if b.image != "" {
		system = "image " + b.options.Image
	}
	swap := "memory and swap"
	if !countsSwap() {
		swap = "memory (but not swap, which this kernel does not count: start it with swapaccount=1)"
	}
	return []string{
		fmt.Sprintf("containerd %s at %s, runtime %s", b.version, b.options.Address, b.options.Runtime),
		fmt.Sprintf("Python %s at %s in %s, read-only, %s", b.facts["python"], b.files.python, system, b.facts.Pillow()),
		fmt.Sprintf("scripts run as %s, inside as uid %s without capabilities", b.identity, b.facts["uid"]),
		fmt.Sprintf("scripts see only: %s", strings.ReplaceAll(b.facts["root"], ",", " ")),
		fmt.Sprintf("scripts can write only to: %s", strings.ReplaceAll(b.facts["writable"], ",", " ")),
		fmt.Sprintf("network: only its own %s", b.facts["interfaces"]),
		swap + ", processes, processors: limited for all of a script together, by a cgroup",
		"disk: /tmp and " + sandbox.Above + " are limited in size, as is each file",
		"system calls: filtered by containerd's default profile, made narrower",
	}
}
