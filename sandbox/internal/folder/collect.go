package folder

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"agentd/sandbox"
	"agentd/vfs"
)

// Bounds on the attention that is paid to what a script leaves.
const (
	mostNew    = 10_000 // entries looked at that are not of the workspace
	mostNamed  = 20     // entries of Result.Skipped that name a file
	namedBytes = 300    // length of a name there
)

const tooMany = "too many files"

// Collection is what is found in the folder of the workspace after a script.
type Collection struct {
	lost    string // why there is no such folder; "" if there is
	files   *os.Root
	before  vfs.Files       // what was handed in
	folders map[string]bool // of the files of before
	limits  sandbox.Limits

	found   []found
	unknown int // entries that are not of before
	skipped skipped

	taken   vfs.Files // all that is taken over, changed or not
	changed vfs.Files
	bytes   int64 // of changed
}

// found is a regular file that may be taken back.
type found struct {
	name string
	info fs.FileInfo
}

// Collect looks at what a script left in the tree, whose content was before, and takes back what it may: regular files that
// have no other name, with a path that the workspace accepts, of UTF-8 text,
// within the limits. Unchanged files do not count against any limit. Where
// there are too many, those of the workspace go first, then name order decides.
// If there is no folder of the workspace any more, nothing is taken back.
func (t *Tree) Collect(before vfs.Files, limits sandbox.Limits) (*Collection, error) {
	c := &Collection{
		before: before, folders: parents(before), limits: limits,
		taken: make(vfs.Files, len(before)), changed: vfs.Files{},
	}
	if err := t.openWorkspace(); err != nil {
		c.lost = err.Error()
		return c, nil
	}
	c.files = t.root
	if err := c.enter("."); err != nil {
		return nil, fmt.Errorf("looking at what the script left: %w", err)
	}
	slices.SortFunc(c.found, func(a, b found) int {
		_, newA := c.before[a.name]
		_, newB := c.before[b.name]
		if newA != newB {
			return map[bool]int{true: -1, false: 1}[newA]
		}
		return cmp.Compare(a.name, b.name)
	})
	for _, file := range c.found {
		if err := c.take(file); err != nil {
			c.skipped.add(file.name, err.Error())
		}
	}
	return c, nil
}

// Apply brings the workspace up to what the script left, and says so in the
// result. A change that the workspace refuses is skipped.
func (c *Collection) Apply(ws *vfs.Workspace, result *sandbox.Result) {
	if c.lost != "" {
		result.Skipped = []sandbox.Skipped{{File: sandbox.SkippedWorkspace, Reason: c.lost + "; nothing was taken back"}}
		return
	}
	result.Deleted = c.deleted()
	for _, name := range result.Deleted { // first, they may be in the way
		if err := ws.Delete(name); err != nil && !errors.Is(err, vfs.ErrNotExist) {
			c.skipped.add(name, err.Error())
		}
	}
	for _, name := range c.changed.Names() {
		if err := ws.Write(name, c.changed[name]); err != nil {
			c.skipped.add(name, err.Error())
			delete(c.changed, name)
		}
	}
	result.Changed, result.Skipped = c.changed, c.skipped.list()
}

// deleted returns the files that are not there any more, in name order.
func (c *Collection) deleted() []string {
	var names []string
	for _, name := range c.before.Names() {
		if _, there := c.taken[name]; !there {
			names = append(names, name)
		}
	}
	return names
}

// enter looks at what is in a folder.
func (c *Collection) enter(folder string) error {
	return list(c.files, folder, func(name string) error {
		if err := c.look(name); err != nil {
			c.skipped.add(name, err.Error())
		}
		return nil
	})
}

// look decides what to do with an entry. The error is the reason to skip it.
func (c *Collection) look(name string) error {
	if _, known := c.before[name]; !known && !c.folders[name] {
		if c.unknown++; c.unknown > mostNew {
			return errors.New(tooMany)
		}
	}
	info, err := c.files.Lstat(name)
	if err != nil {
		return reason(err)
	}
	if reason := unwanted(info); reason != "" {
		return errors.New(reason)
	}
	if _, err := vfs.Clean(name); err != nil {
		return err
	}
	if !info.IsDir() {
		c.found = append(c.found, found{name, info})
		return nil
	}
	// Whatever permissions the script set, the folder is ours to read.
	if info.Mode() != fs.ModeDir|0o755 {
		if err := c.files.Chmod(name, 0o755); err != nil {
			return reason(err)
		}
	}
	return reason(c.enter(name))
}

// kind names what a file is.
func kind(info fs.FileInfo) string {
	switch kind := info.Mode().Type(); {
	case kind == 0:
		return "file"
	case kind == fs.ModeDir:
		return "folder"
	case kind == fs.ModeSymlink:
		return "symbolic link"
	case kind == fs.ModeNamedPipe:
		return "named pipe"
	case kind == fs.ModeSocket:
		return "socket"
	case kind&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// unwanted names what is neither a folder nor a plain file.
func unwanted(info fs.FileInfo) string {
	if info.IsDir() {
		return ""
	}
	if !info.Mode().IsRegular() {
		return kind(info)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Nlink != 1 {
		return "hard link: the file has several names"
	}
	return ""
}

// take takes a file over. The error is the reason not to.
func (c *Collection) take(file found) error {
	old, known := c.before[file.name]
	content, same, err := c.read(file, old, known)
	if err != nil {
		return err
	}
	if same {
		c.taken[file.name] = old
		return nil
	}
	c.bytes += int64(len(content))
	c.taken[file.name], c.changed[file.name] = content, content
	return nil
}

// room says why a changed file of the given size can not be taken.
func (c *Collection) room(size int64) error {
	switch {
	case size > c.limits.FileBytes:
		return fmt.Errorf("larger than %d bytes", c.limits.FileBytes)
	case len(c.changed) >= c.limits.Files:
		return errors.New(tooMany)
	case c.bytes+size > c.limits.DiskBytes:
		return fmt.Errorf("over the limit of %d bytes for all files of a script", c.limits.DiskBytes)
	}
	return nil
}

// read returns the content of a file, or that it is still the old one. A file
// that there is no room for is not read into memory.
func (c *Collection) read(file found, old string, known bool) (content string, same bool, err error) {
	if file.info.Mode() != 0o644 { // unreadable, or set-uid
		if err := c.files.Chmod(file.name, 0o644); err != nil {
			return "", false, reason(err)
		}
	}
	opened, err := c.files.OpenFile(file.name, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", false, reason(err)
	}
	defer opened.Close()
	// Nothing runs that could have put something else in its place. Make sure.
	if now, err := opened.Stat(); err != nil || !os.SameFile(now, file.info) || unwanted(now) != "" {
		return "", false, errors.New("replaced while it was looked at")
	}
	if known && file.info.Size() == int64(len(old)) {
		if same, err = equal(opened, old); same || err != nil {
			return old, same, reason(err)
		}
		if _, err := opened.Seek(0, io.SeekStart); err != nil {
			return "", false, reason(err)
		}
	}
	if err := c.room(file.info.Size()); err != nil {
		return "", false, err
	}
	content, err = readText(opened, file.info.Size())
	return content, false, err
}

// readText reads a file of the size it is known to have.
func readText(file io.Reader, size int64) (string, error) {
	var text strings.Builder
	text.Grow(int(size))
	if _, err := io.Copy(&text, io.LimitReader(file, size)); err != nil {
		return "", reason(err)
	}
	if !utf8.ValidString(text.String()) {
		return "", errors.New("not UTF-8 text")
	}
	return text.String(), nil
}

// equal reports whether the reader holds just this text, without a copy of it.
func equal(from io.Reader, text string) (bool, error) {
	buffer := make([]byte, min(len(text)+1, 32<<10))
	for {
		n, err := from.Read(buffer)
		if n > len(text) || string(buffer[:n]) != text[:n] {
			return false, nil
		}
		text = text[n:]
		if errors.Is(err, io.EOF) {
			return text == "", nil
		}
		if err != nil {
			return false, err
		}
	}
}

// reason strips the path from an error; Skipped names it beside it.
func reason(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err
	}
	return err
}

// skipped collects what is not taken back: the first few by name, the rest
// counted by reason.
type skipped struct {
	count int
	named []sandbox.Skipped
	more  map[string]int
}

func (s *skipped) add(name, reason string) {
	s.count++
	if len(s.named) < mostNamed {
		s.named = append(s.named, sandbox.Skipped{File: printable(name), Reason: reason})
		return
	}
	if s.more == nil {
		s.more = make(map[string]int)
	}
	// Reasons that name a file are all different.
	if _, known := s.more[reason]; !known && len(s.more) >= mostNamed {
		reason = "various"
	}
	s.more[reason]++
}

// list returns the names, then the counts in the order of their reasons.
func (s *skipped) list() []sandbox.Skipped {
	for _, reason := range slices.Sorted(maps.Keys(s.more)) {
		s.named = append(s.named, sandbox.Skipped{File: fmt.Sprintf("and %d more", s.more[reason]), Reason: reason})
	}
	s.more = nil
	return s.named
}

// printable quotes a name that would disturb a log or a terminal.
func printable(name string) string {
	if len(name) > namedBytes {
		name = name[:namedBytes] + "…"
	}
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return strconv.Quote(name)
	}
	return name
}
