//go:build linux

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
	"unicode"
	"unicode/utf8"

	"agentd/sandbox"
	"agentd/vfs"
)

// Bounds on what is read after a script.
const (
	mostNew    = 10_000  // entries looked at that are not files of the workspace
	mostListed = 1 << 20 // entries listed
	mostNamed  = 20      // entries of Result.Skipped that name a file
	namedBytes = 300     // bytes of such a name
)

const tooMany = "too many files"

// Collection is what was found in the workspace folder after a script.
type Collection struct {
	tree    *Tree
	lost    lost            // "" if the folder exists
	before  vfs.Files       // files before the script
	folders map[string]bool // of the files of before
	limits  sandbox.Limits

	found   []string // names of what seemed to be regular files
	listed  int      // entries
	unknown int      // entries that are not in before
	skipped skipped

	taken   vfs.Files // all accepted files, changed or not
	changed vfs.Files
	bytes   int64 // of changed
}

// Collect reads what a script left in the tree, whose content was before: regular files
// without hard links, with a path that the workspace accepts, of UTF-8 text, within the
// limits. Unchanged files do not count against any limit. If there are too many, those of
// the workspace go first, then name order decides. If the folder of the workspace was
// removed or replaced, nothing is taken back.
func (t *Tree) Collect(before vfs.Files, limits sandbox.Limits) (*Collection, error) {
	c := &Collection{
		tree: t, before: before, folders: parents(before), limits: limits,
		taken: make(vfs.Files, len(before)), changed: vfs.Files{},
	}
	err := t.openWorkspace()
	if errors.As(err, &c.lost) {
		return c, nil
	}
	if err == nil {
		err = c.enter(t.workspace, "")
	}
	if err != nil {
		return nil, fmt.Errorf("looking at what the script left: %w", err)
	}
	slices.SortFunc(c.found, func(a, b string) int {
		_, knownA := c.before[a]
		_, knownB := c.before[b]
		if knownA != knownB {
			return map[bool]int{true: -1, false: 1}[knownA]
		}
		return cmp.Compare(a, b)
	})
	for _, name := range c.found {
		if err := c.take(name); err != nil {
			c.skipped.add(name, err.Error())
		}
	}
	return c, nil
}

// Apply makes the script's changes in the workspace, and lists them in the result. A change
// that the workspace refuses is skipped.
func (c *Collection) Apply(ws *vfs.Workspace, result *sandbox.Result) {
	if c.lost != "" {
		result.Skipped = []sandbox.Skipped{{File: sandbox.SkippedWorkspace, Reason: string(c.lost) + "; nothing was taken back"}}
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

// deleted returns the files that no longer exist, in name order.
func (c *Collection) deleted() []string {
	var names []string
	for _, name := range c.before.Names() {
		if _, there := c.taken[name]; !there {
			names = append(names, name)
		}
	}
	return names
}

// errRestless is the error for a folder whose listing does not end.
var errRestless = fmt.Errorf("there are more than %d entries, or they change faster than they can be listed", mostListed)

// enter goes through the entries of a folder. prefix is the path of the folder.
func (c *Collection) enter(folder dir, prefix string) error {
	return folder.list(func(entry fs.DirEntry) error {
		if c.listed++; c.listed > mostListed {
			return errRestless
		}
		name := prefix + entry.Name()
		err := c.look(folder, entry, name)
		if errors.Is(err, errRestless) {
			return err
		}
		if err != nil {
			c.skipped.add(name, err.Error())
		}
		return nil
	})
}

// look decides what to do with an entry. The error is the reason to skip it.
func (c *Collection) look(folder dir, entry fs.DirEntry, name string) error {
	if _, known := c.before[name]; !known && !c.folders[name] {
		if c.unknown++; c.unknown > mostNew {
			return errors.New(tooMany)
		}
	}
	if !entry.IsDir() && !entry.Type().IsRegular() {
		return errors.New(folder.kind(entry.Name()))
	}
	if _, err := vfs.Clean(name); err != nil {
		return err
	}
	if !entry.IsDir() {
		c.found = append(c.found, name)
		return nil
	}
	below, err := folder.openDir(entry.Name())
	if err != nil {
		return err
	}
	defer below.close()
	return c.enter(below, name+"/")
}

// take reads a file. The error is the reason not to take it back.
func (c *Collection) take(name string) error {
	return c.tree.workspace.inParent(name, false, func(at dir, base string) error {
		opened, size, err := at.openFile(base)
		if err != nil {
			return err
		}
		defer opened.Close()
		return c.read(name, opened, size)
	})
}

// read reads a file's content, unless it is unchanged. It does not read a file above the limits
// into memory.
func (c *Collection) read(name string, opened *os.File, size int64) error {
	old, known := c.before[name]
	if known && size == int64(len(old)) {
		same, err := equal(opened, old)
		if err != nil {
			return err
		}
		if same {
			c.taken[name] = old
			return nil
		}
	}
	if err := c.room(size); err != nil {
		return err
	}
	content, err := readWhole(opened, size)
	if err == nil && !vfs.Binary(name) && !utf8.ValidString(content) {
		err = errors.New("not UTF-8 text")
	}
	if err != nil {
		return err
	}
	c.bytes += int64(len(content))
	c.taken[name], c.changed[name] = content, content
	return nil
}

// room returns an error if there is no room for a changed file of the given size.
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

// readWhole reads a file of the given size; a shorter one up to its end.
func readWhole(from io.ReaderAt, size int64) (string, error) {
	var text strings.Builder
	text.Grow(int(size))
	if _, err := io.Copy(&text, io.NewSectionReader(from, 0, size)); err != nil {
		return "", err
	}
	return text.String(), nil
}

// equal reports whether the file holds exactly this text. It makes no copy of it.
func equal(from io.ReaderAt, text string) (bool, error) {
	buffer := make([]byte, min(len(text)+1, 32<<10))
	for at := 0; ; {
		n, err := from.ReadAt(buffer, int64(at))
		if n > len(text)-at || string(buffer[:n]) != text[at:at+n] {
			return false, nil
		}
		at += n
		if errors.Is(err, io.EOF) {
			return at == len(text), nil
		}
		if err != nil {
			return false, err
		}
	}
}

// skipped collects what is not taken back: the first few by name, the rest as counts by reason.
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

// parents returns every folder that one of the files lies in, at any depth.
func parents(files vfs.Files) map[string]bool {
	folders := make(map[string]bool)
	for name := range files {
		for end := strings.LastIndexByte(name, '/'); end > 0; end = strings.LastIndexByte(name[:end], '/') {
			folders[name[:end]] = true
		}
	}
	return folders
}
