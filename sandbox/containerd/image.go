//go:build linux

package containerd

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	client "github.com/containerd/containerd/v2/client"
	"github.com/containerd/containerd/v2/core/containers"
	"github.com/containerd/containerd/v2/core/content"
	"github.com/containerd/containerd/v2/core/snapshots"
	"github.com/containerd/containerd/v2/defaults"
	"github.com/containerd/containerd/v2/pkg/archive/compression"
	"github.com/containerd/errdefs"
	"github.com/distribution/reference"
	"github.com/google/uuid"
	"github.com/opencontainers/go-digest"
	chain "github.com/opencontainers/image-spec/identity"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"agentd/sandbox/internal/system"
)

const (
	// pullTime is how long it may take to fetch and unpack an image.
	pullTime = 10 * time.Minute
	// rootLabel keeps a snapshot that no container uses from being collected.
	rootLabel   = "containerd.io/gc.root"
	snapshotter = defaults.DefaultSnapshotter
)

// openImage finds, imports or pulls an image and makes it ready. parent is the snapshot of
// the image, with the mount points added.
func openImage(ctx context.Context, c *client.Client, name string) (parent string, f *files, err error) {
	ctx, cancel := context.WithTimeout(ctx, pullTime)
	defer cancel()
	ctx, release, err := c.WithLease(ctx)
	if err != nil {
		return "", nil, err
	}
	defer release(context.WithoutCancel(ctx))

	found, err := findImage(ctx, c, name)
	if err != nil {
		return "", nil, fmt.Errorf("image %s: %w", name, err)
	}
	if err := found.Unpack(ctx, snapshotter); err != nil {
		return "", nil, fmt.Errorf("unpacking image %s: %w", name, err)
	}
	config, err := found.Spec(ctx)
	if err != nil {
		return "", nil, fmt.Errorf("image %s: %w", name, err)
	}
	if parent, err = addMountPoints(ctx, c, chain.ChainID(config.RootFS.DiffIDs).String()); err != nil {
		return "", nil, fmt.Errorf("image %s: %w", name, err)
	}
	f = &files{python: "python3", path: system.Path}
	for _, setting := range config.Config.Env {
		if path, ok := strings.CutPrefix(setting, "PATH="); ok {
			f.path = path
		}
	}
	return parent, f, nil
}

// findImage imports the archive at that path, or finds or pulls the image of that name.
func findImage(ctx context.Context, c *client.Client, name string) (client.Image, error) {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return importImage(ctx, c, name)
	}
	full, err := reference.ParseDockerRef(name)
	if err != nil {
		return nil, fmt.Errorf("neither a file nor the name of an image: %w", err)
	}
	found, err := c.GetImage(ctx, full.String())
	if errdefs.IsNotFound(err) {
		found, err = c.Pull(ctx, full.String(), client.WithPullUnpack, client.WithPullSnapshotter(snapshotter))
	}
	return found, err
}

// importImage imports an archive, under a name made of its path.
func importImage(ctx context.Context, c *client.Client, file string) (client.Image, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	plain, err := compression.DecompressStream(opened)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	absolute, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	name := "agentd.invalid/archive:" + digest.FromString(absolute).Encoded()[:16]
	images, err := c.Import(ctx, plain, client.WithIndexName(name), client.WithSkipDigestRef(func(string) bool { return true }))
	if err != nil {
		return nil, fmt.Errorf("importing it: %w", err)
	}
	for _, imported := range images {
		if imported.Name == name {
			return client.NewImage(c, imported), nil
		}
	}
	return nil, errors.New("importing it: the archive holds no image")
}

// withRoot gives a container a snapshot as its root file system, read-only.
func withRoot(parent, id string) client.NewContainerOpts {
	return func(ctx context.Context, c *client.Client, container *containers.Container) error {
		container.Snapshotter, container.SnapshotKey = snapshotter, id
		_, err := c.SnapshotService(snapshotter).View(ctx, id, parent)
		return err
	}
}

// addMountPoints returns a snapshot of an image with the mountPoints added. The daemon makes it as
// another layer, because neither the container nor agentd may have the right to. It is made once
// for an image and kept.
func addMountPoints(ctx context.Context, c *client.Client, parent string) (string, error) {
	layer, err := mountPointLayer()
	if err != nil {
		return "", err
	}
	name := "agentd-" + digest.FromString(parent+digest.FromBytes(layer).String()).Encoded()
	service := c.SnapshotService(snapshotter)
	if _, err := service.Stat(ctx, name); err == nil {
		return name, nil
	}
	described := ocispec.Descriptor{
		MediaType: ocispec.MediaTypeImageLayer, Digest: digest.FromBytes(layer), Size: int64(len(layer)),
	}
	if err := content.WriteBlob(ctx, c.ContentStore(), name, bytes.NewReader(layer), described); err != nil {
		return "", fmt.Errorf("adding mount points: %w", err)
	}
	key := name + "-" + uuid.NewString()
	mounts, err := service.Prepare(ctx, key, parent)
	if err != nil {
		return "", fmt.Errorf("adding mount points: %w", err)
	}
	if _, err = c.DiffService().Apply(ctx, described, mounts); err == nil {
		label := map[string]string{rootLabel: time.Now().UTC().Format(time.RFC3339)}
		err = service.Commit(ctx, name, key, snapshots.WithLabels(label))
	}
	if err != nil {
		service.Remove(context.WithoutCancel(ctx), key)
		if errdefs.IsAlreadyExists(err) { // another agentd was faster
			return name, nil
		}
		return "", fmt.Errorf("adding mount points: %w", err)
	}
	return name, nil
}

// mountPointLayer returns an archive of the mountPoints. Its bytes are always the same.
func mountPointLayer() ([]byte, error) {
	var layer bytes.Buffer
	w := tar.NewWriter(&layer)
	for _, name := range slices.Sorted(maps.Keys(mountPoints)) {
		header := &tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: int64(mountPoints[name].Perm())}
		if mountPoints[name]&os.ModeSticky != 0 {
			header.Mode |= 0o1000
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return layer.Bytes(), err
}
