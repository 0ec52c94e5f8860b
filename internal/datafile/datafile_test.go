package datafile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"agentd/vfs"
)

// odd are files that are no regular files, each made under a name.
var odd = map[string]func(t *testing.T, name string){
	"a link": func(t *testing.T, name string) {
		symlink(t, "/etc/passwd", name)
	},
	"a link to a file next to it": func(t *testing.T, name string) {
		write(t, name+".txt", "x")
		symlink(t, filepath.Base(name)+".txt", name)
	},
	"a link to a folder": func(t *testing.T, name string) { symlink(t, "/etc", name) },
	"a link to nothing":  func(t *testing.T, name string) { symlink(t, "nothing", name) },
	"a link to a device": func(t *testing.T, name string) { symlink(t, "/dev/zero", name) },
	"a named pipe": func(t *testing.T, name string) {
		if err := syscall.Mkfifo(name, 0o644); err != nil {
			t.Fatal(err)
		}
	},
	"a socket": func(t *testing.T, name string) {
		listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: name, Net: "unix"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
	},
	"a device": func(t *testing.T, name string) {
		const zero = 1<<8 | 5
		if err := syscall.Mknod(name, syscall.S_IFCHR|0o644, zero); err != nil {
			t.Skipf("only root makes devices: %v", err)
		}
	},
}

func TestAFolderReadsRegularFilesAlone(t *testing.T) {
	t.Parallel()
	for name, place := range odd {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, filepath.Join(dir, "sub", "good.txt"), "good")
			bad := filepath.Join(dir, "sub", "bad.txt")
			place(t, bad)
			folder := open(t, dir, DefaultLimits())
			if _, err := folder.ReadFile("sub/bad.txt"); !errors.Is(err, ErrKind) {
				t.Errorf("reading it: %v, want ErrKind", err)
			}
			if _, err := folder.Open("sub/bad.txt"); !errors.Is(err, ErrKind) {
				t.Errorf("opening it: %v, want ErrKind", err)
			}
			if _, err := Documents(folder, "sub"); !errors.Is(err, ErrKind) || !strings.Contains(err.Error(), bad) {
				t.Errorf("%v, want ErrKind with the name %s", err, bad)
			}
			if text, err := folder.ReadFile("sub/good.txt"); string(text) != "good" || err != nil {
				t.Errorf("the good one: %q, %v", text, err)
			}
		})
	}
}

func TestAFolderHasNothingOutsideOfIt(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	write(t, filepath.Join(above, "secret.txt"), "secret")
	dir := filepath.Join(above, "in")
	write(t, filepath.Join(dir, "x.txt"), "x")
	symlink(t, "..", filepath.Join(dir, "up"))
	folder := open(t, dir, DefaultLimits())
	for _, name := range []string{"../secret.txt", "up/secret.txt", filepath.Join(above, "secret.txt"), "x.txt/../../secret.txt"} {
		if text, err := folder.ReadFile(name); err == nil {
			t.Errorf("%s gives %q", name, text)
		}
	}
}

func TestAFileThatTheUserNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.txt"), filepath.Join(dir, "link")
	write(t, file, "text")
	symlink(t, "a.txt", link)
	for _, name := range []string{file, link} { // the user chose the link
		if text, err := ReadText(name, 4); text != "text" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, dir, "/dev/zero", "/dev/null"} {
		if _, err := Read(name, 4); !errors.Is(err, ErrKind) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want ErrKind with its name", name, err)
		}
	}
	if _, err := Read(file, 3); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), file) {
		t.Errorf("%v, want ErrTooLarge with its name", err)
	}
	write(t, file, "te\xffxt")
	if _, err := ReadText(file, 10); err == nil || !strings.Contains(err.Error(), "not a text file") {
		t.Errorf("binary: %v", err)
	}
}

func TestATextInAnotherEncodingIsReadAsUTF8(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{"caf\xe9\n": "café\n", "\xff\xfea\x00": "a", "café": "café"} {
		file := filepath.Join(t.TempDir(), "a.txt")
		write(t, file, content)
		files, err := new(Reader).Read(file, 100)
		if err != nil || files["a.txt"] != want {
			t.Errorf("%q is read as %q, %v", content, files["a.txt"], err)
		}
	}
}

func TestLimitsOfAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 4 {
		write(t, filepath.Join(dir, "a", "b", fmt.Sprint(i)), strings.Repeat("x", 1<<20))
	}
	roomy := Limits{FileBytes: 1 << 20, Bytes: 4 << 20, Entries: 6, Levels: 2}
	for name, c := range map[string]struct {
		narrow func(*Limits)
		names  string
	}{
		"a large file":                   {func(l *Limits) { l.FileBytes-- }, "a/b/0"},
		"a file too much in all":         {func(l *Limits) { l.Bytes-- }, "together"},
		"too many files":                 {func(l *Limits) { l.Entries-- }, "more than 5 files"},
		"too many folders in each other": {func(l *Limits) { l.Levels-- }, "a/b"},
	} {
		limits := roomy
		c.narrow(&limits)
		if _, err := Documents(open(t, dir, limits), "."); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %v, want ErrTooLarge that says %q", name, err, c.names)
		}
	}
	if files, err := Documents(open(t, dir, roomy), "."); len(files) != 4 || err != nil {
		t.Errorf("at the limits: %v, %v", files.Names(), err)
	}
}

// A sparse file takes no room on the disk, and would take as much memory as it says.
func TestASparseFileIsNotRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "sparse")
	write(t, name, "")
	if err := os.Truncate(name, 1<<40); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, dir, DefaultLimits()).ReadFile("sparse"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v, want ErrTooLarge", err)
	}
}

func TestAFolderIsAFileSystem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b", "c.txt"), "c")
	write(t, filepath.Join(dir, "a.txt"), "a")
	folder := open(t, dir, DefaultLimits())
	var seen []string
	err := fs.WalkDir(folder, ".", func(name string, _ fs.DirEntry, err error) error {
		seen = append(seen, name)
		return err
	})
	if got := strings.Join(seen, " "); got != ". a.txt b b/c.txt" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	same, err := Documents(fstest.MapFS{"x/a.txt": {Data: []byte("a")}, "x/b/c.txt": {Data: []byte("c")}}, "x")
	if files, _ := Documents(folder, "."); !files.Equal(same) || err != nil {
		t.Errorf("%v and %v, %v", files, same, err)
	}
}

func TestCreateMakesNewFilesBelowItsFolder(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	write(t, filepath.Join(above, "victim"), "as it was")
	dir := filepath.Join(above, "in")
	write(t, filepath.Join(dir, "there"), "as it was")
	symlink(t, "../victim", filepath.Join(dir, "link"))
	symlink(t, "..", filepath.Join(dir, "up"))
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"there", "link", "../victim", "up/victim", "up/new", filepath.Join(above, "victim"), "there/x"} {
		if err := Create(root, name, []byte("attacked")); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	for _, name := range []string{filepath.Join(above, "victim"), filepath.Join(dir, "there")} {
		if text, err := Read(name, 100); string(text) != "as it was" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if err := Create(root, "a/b/new", []byte("new")); err != nil {
		t.Error(err)
	}
	if text, err := Read(filepath.Join(dir, "a/b/new"), 3); string(text) != "new" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestReplaceFollowsNoLink(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "in")
	write(t, filepath.Join(above, "victim"), "as it was")
	write(t, filepath.Join(dir, "victim"), "as it was")
	write(t, filepath.Join(dir, "folder", "x"), "as it was")
	write(t, filepath.Join(dir, "there"), "old")
	if err := os.Link(filepath.Join(above, "victim"), filepath.Join(dir, "hard")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	symlink(t, "../victim", filepath.Join(dir, "out"))
	symlink(t, "victim", filepath.Join(dir, "inside"))
	symlink(t, "..", filepath.Join(dir, "up"))
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"folder", "up/victim", "../victim"} {
		if err := Replace(root, name, []byte("attacked")); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	for _, name := range []string{"there", "hard", "pipe", "out", "inside", "up", "a/new"} {
		if err := Replace(root, name, []byte("new")); err != nil {
			t.Error(err)
		}
		if text, err := Read(filepath.Join(dir, name), 3); string(text) != "new" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for _, name := range []string{filepath.Join(above, "victim"), filepath.Join(dir, "victim"), filepath.Join(dir, "folder", "x")} {
		if text, err := Read(name, 100); string(text) != "as it was" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	long := strings.Repeat("x", most)
	for name, c := range map[string]struct {
		text string
		want []string // the error as its kind
	}{
		"none":                        {"", nil},
		"one without an end":          {"a", []string{"a"}},
		"empty ones":                  {"\n\na\n", []string{"", "", "a"}},
		"carriage returns stay":       {"a\r\nb", []string{"a\r", "b"}},
		"one at the limit":            {long[1:] + "\nb", []string{long[1:], "b"}},
		"one over it ends the file":   {"a\n" + long + "\nb", []string{"a", "2 too large"}},
		"the last one over the limit": {long + "x", []string{"1 too large"}},
	} {
		var got []string
		for line := range Lines(strings.NewReader(c.text), most) {
			if errors.Is(line.Err, ErrTooLarge) {
				got = append(got, fmt.Sprint(line.Number, " too large"))
				continue
			}
			if line.Number != len(got)+1 || line.Err != nil {
				t.Errorf("%s: line %d after %d, %v", name, line.Number, len(got), line.Err)
			}
			got = append(got, string(line.Text))
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) {
			t.Errorf("%s: %d lines %.80q, want %d", name, len(got), got, len(c.want))
		}
	}
}

// zeros never ends and has no newline.
type zeros struct{ read int }

func (z *zeros) Read(p []byte) (int, error) {
	z.read += len(p)
	clear(p)
	return len(p), nil
}

func TestALineWithoutEndIsGivenUpAtTheLimit(t *testing.T) {
	t.Parallel()
	endless := &zeros{}
	for line := range Lines(endless, 1<<20) {
		if !errors.Is(line.Err, ErrTooLarge) {
			t.Errorf("line %d: %v", line.Number, line.Err)
		}
	}
	if endless.read > 2<<20 {
		t.Errorf("%d bytes were read of it", endless.read)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\n\nc"), 3)
	f.Fuzz(func(t *testing.T, text []byte, most int) {
		most = 1 + max(most, -most)%64
		var all [][]byte
		for line := range Lines(bytes.NewReader(text), most) {
			if line.Err != nil {
				return
			}
			if len(line.Text) > most {
				t.Fatalf("a line of %d bytes, where %d are allowed", len(line.Text), most)
			}
			all = append(all, bytes.Clone(line.Text))
		}
		if got := bytes.Join(all, []byte("\n")); !bytes.Equal(got, bytes.TrimSuffix(text, []byte("\n"))) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// FuzzDocuments writes a name and a text where a data set has them, and reads them
// back. What is read is what was written below the folder, and nothing else.
func FuzzDocuments(f *testing.F) {
	f.Add("a.txt", []byte("text"))
	f.Add("../up", []byte("text"))
	f.Add("a/b/c", []byte("\xff"))
	f.Fuzz(func(t *testing.T, name string, content []byte) {
		dir := t.TempDir()
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if err := Create(root, name, content); err != nil {
			return
		}
		files, err := Documents(open(t, dir, DefaultLimits()), ".")
		if err != nil {
			return
		}
		want := vfs.Files{filepath.ToSlash(filepath.Clean(name)): string(content)}
		if !files.Equal(want) {
			t.Fatalf("%q, want %q", files, want)
		}
	})
}

func open(t *testing.T, dir string, limits Limits) *Folder {
	t.Helper()
	folder, err := OpenFolder(dir, limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	return folder
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

func TestStandardInputEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	endless, writer := io.Pipe()
	defer writer.Close()
	in, err := OpenInput(ctx, "-", endless)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cancel()
	if _, err := io.ReadAll(in); !errors.Is(err, context.Canceled) {
		t.Errorf("reading ends with %v", err)
	}
	text, err := OpenInput(t.Context(), "-", strings.NewReader("a pair"))
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	if got, err := io.ReadAll(text); string(got) != "a pair" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
