//go:build linux

package containerd

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"agentd/sandbox"
	"agentd/sandbox/sandboxtest"
	"agentd/vfs"
)

// layer is a tar archive in memory.
type layer struct {
	t    testing.TB
	data bytes.Buffer
	w    *tar.Writer
	have map[string]bool
}

func newLayer(t testing.TB) *layer {
	l := &layer{t: t, have: map[string]bool{}}
	l.w = tar.NewWriter(&l.data)
	return l
}

func (l *layer) add(name string, mode int64, content []byte) {
	l.t.Helper()
	name = strings.TrimPrefix(name, "/")
	if l.have[name] {
		return
	}
	l.have[name] = true
	if err := l.w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: int64(len(content))}); err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.w.Write(content); err != nil {
		l.t.Fatal(err)
	}
}

// copy adds a program or library of the host, at its own path.
func (l *layer) copy(path string) {
	l.t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		l.t.Fatal(err)
	}
	l.add(path, 0o755, content)
}

func (l *layer) bytes() []byte {
	if err := l.w.Close(); err != nil {
		l.t.Fatal(err)
	}
	return l.data.Bytes()
}

// pythonLayer is a small system with Python at a place of its own, and with a
// package that the host does not have.
func pythonLayer(t testing.TB) []byte {
	l := newLayer(t)
	python, err := filepath.EvalSymlinks("/usr/bin/python3")
	if err != nil {
		t.Fatal(err)
	}
	shell, err := filepath.EvalSymlinks("/bin/sh")
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := exec.Command("ldd", python, shell).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(libraries)) {
		if strings.HasPrefix(word, "/") && !strings.HasSuffix(word, ":") {
			l.copy(word)
		}
	}
	program, err := os.ReadFile(python)
	if err != nil {
		t.Fatal(err)
	}
	l.add("/opt/python/bin/python3", 0o755, program)
	text, err := os.ReadFile(shell)
	if err != nil {
		t.Fatal(err)
	}
	l.add("/bin/sh", 0o755, text)
	modules := "/usr/lib/" + filepath.Base(python)
	err = filepath.WalkDir(modules, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "test" || entry.Name() == "__pycache__" || strings.HasPrefix(entry.Name(), "config-")):
			return fs.SkipDir
		case entry.Type().IsRegular():
			l.copy(path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	l.add(modules+"/only_in_the_image.py", 0o644, []byte("answer = 42"))
	return l.bytes()
}

// archive writes an OCI archive of one layer.
func archive(t testing.TB, layer []byte) string {
	path := filepath.Join(t.TempDir(), "image.tar")
	out := newLayer(t)
	blob := func(mediaType string, content []byte) ocispec.Descriptor {
		sum := digest.FromBytes(content)
		out.add("blobs/sha256/"+sum.Encoded(), 0o644, content)
		return ocispec.Descriptor{MediaType: mediaType, Digest: sum, Size: int64(len(content))}
	}
	encode := func(value any) []byte {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	layers := []ocispec.Descriptor{blob(ocispec.MediaTypeImageLayer, layer)}
	config := blob(ocispec.MediaTypeImageConfig, encode(ocispec.Image{
		Platform: ocispec.Platform{OS: "linux", Architecture: runtime.GOARCH},
		Config:   ocispec.ImageConfig{Env: []string{"SECRET=x", "PATH=/opt/python/bin:/usr/bin:/bin", "PYTHONHOME=/usr"}},
		RootFS:   ocispec.RootFS{Type: "layers", DiffIDs: []digest.Digest{layers[0].Digest}},
	}))
	manifest := blob(ocispec.MediaTypeImageManifest, encode(ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest, Config: config, Layers: layers,
	}))
	manifest.Platform = &ocispec.Platform{OS: "linux", Architecture: runtime.GOARCH}
	out.add(ocispec.ImageIndexFile, 0o644, encode(ocispec.Index{
		Versioned: specs.Versioned{SchemaVersion: 2}, Manifests: []ocispec.Descriptor{manifest},
	}))
	out.add(ocispec.ImageLayoutFile, 0o644, encode(ocispec.ImageLayout{Version: ocispec.ImageLayoutVersion}))
	if err := os.WriteFile(path, out.bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestImage(t *testing.T) {
	t.Parallel()
	d := theDaemon(t)
	file := archive(t, pythonLayer(t))
	for range 2 { // imported, then found
		b, err := New(t.Context(), Options{Address: d.Address, Image: file})
		if err != nil {
			t.Fatal(err)
		}
		run, err := b.NewRunner(sandbox.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		ws := sandboxtest.Workspace(t, vfs.Files{"a": "1"})
		got := sandboxtest.MustRun(t, run, ws, "import json, os, sys, only_in_the_image as i\nprint(i.answer, open('a').read(), os.path.exists('/usr/bin/perl'), sorted(os.environ))\nopen('b', 'w').write('2')\nfor p in ('/x', '/usr/lib/x', '/opt/x'):\n  try: open(p, 'w'); print('wrote', p)\n  except OSError: pass")
		want := fmt.Sprintln("42 1 False ['HOME', 'LANG', 'MALLOC_ARENA_MAX', 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'PATH', 'PWD', 'PYTHONDONTWRITEBYTECODE', 'PYTHONHASHSEED', 'PYTHONPATH']")
		if got.Stdout != want || got.Changed["b"] != "2" {
			t.Errorf("got %+v", got)
		}
		if lines := strings.Join(b.Describe(), "\n"); !strings.Contains(lines, "image "+file) {
			t.Error(lines)
		}
		if err := run.Close(); err != nil {
			t.Error(err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestImageWithoutPython(t *testing.T) {
	t.Parallel()
	d := theDaemon(t)
	l := newLayer(t)
	l.add("etc/motd", 0o644, []byte("nothing here"))
	_, err := New(t.Context(), Options{Address: d.Address, Image: archive(t, l.bytes())})
	checkUnavailable(t, err, "python3")
}
