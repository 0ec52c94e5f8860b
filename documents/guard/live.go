package guard

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"agentd/documents/compare"
	"agentd/internal/usage"
	"agentd/vfs"
)

// Live applies a rule to a folder in which programs work directly. It keeps a snapshot of the documents from the last check. Each
// Check compares them with the present ones. A document with a refused change is restored; the change is kept in the log, so that
// Undo can bring it back. All other changes enter the snapshot. No program in the folder is run.
//
// Several processes may use the same folder; their checks run one at a time.
type Live struct {
	folder *Folder
	rule   Rule
	store  store
}

// NewLive returns the guard of a folder. skip holds patterns (path.Match) of names to ignore, such as node_modules; they match whole
// paths or their last part. If a pattern is malformed, the error is a usage.Error.
func NewLive(f *Folder, r Rule, skip []string) (*Live, error) {
	for _, pattern := range skip {
		if _, err := path.Match(pattern, ""); err != nil {
			return nil, usage.Errorf("--skip %s: %w", pattern, err)
		}
	}
	f.skip = skip
	return &Live{folder: f, rule: r, store: f.live()}, nil
}

// live returns the place of the folder's snapshot.
func (f *Folder) live() store { return store{f.log + ".live"} }

// Finding describes what a Check refused.
type Finding struct {
	// Refused is what RefusedLines says; empty if nothing was refused. Documents has the names.
	Refused string
	// Documents are the names of the refused documents.
	Documents []string
	// Change is the log number of the change that restored them, 0 if that failed.
	Change int
	// Failed says why the documents could not be restored; nil if they were.
	Failed error
	// First is true if there was no snapshot to compare with yet.
	First bool
}

// session updates the active sessions of a folder before and after a Check.
type session struct {
	// fresh reports whether the present state is accepted without a comparison.
	fresh func(sessions map[string]time.Time) bool
	// after records the session, given the finding.
	after func(sessions map[string]time.Time, found Finding)
}

// Take accepts the present state as good and replaces the snapshot.
func (l *Live) Take(ctx context.Context) error {
	_, err := l.check(ctx, session{fresh: func(map[string]time.Time) bool { return true }})
	return err
}

// Check compares the documents with the snapshot of the last good state. An error means that the folder could not be read, or the
// new state not be stored.
func (l *Live) Check(ctx context.Context) (Finding, error) {
	return l.check(ctx, session{fresh: func(map[string]time.Time) bool { return false }})
}

func (l *Live) check(ctx context.Context, s session) (found Finding, err error) {
	lock, err := l.folder.lockIn(ctx, l.store.dir)
	if err != nil {
		return found, err
	}
	defer lock.Close()
	was, there, err := l.store.load()
	if err != nil {
		return found, err
	}
	dropStale(was.Sessions)
	if !there || s.fresh(was.Sessions) {
		was.Files, err = l.take(was)
		found.First = !there
	} else {
		was.Files, found, err = l.judge(ctx, was)
	}
	if err != nil {
		return found, err
	}
	if s.after != nil {
		s.after(was.Sessions, found)
	}
	return found, l.store.save(was)
}

// take reads all files and stores their snapshot.
func (l *Live) take(was snapshot) (map[string]known, error) {
	files, read, err := l.folder.scan(was)
	if err != nil {
		return nil, err
	}
	if err := l.store.keep(read); err != nil {
		return nil, err
	}
	l.store.tidy(snapshot{Files: files})
	return files, nil
}

// judge compares, and restores documents whose change the rule refuses. It returns the good files: the present ones, and the
// old ones of refused documents. If another program changes the folder meanwhile, it starts again.
func (l *Live) judge(ctx context.Context, was snapshot) (good map[string]known, found Finding, err error) {
	const tries, pause = 20, 25 * time.Millisecond
	for try := range tries {
		files, read, err := l.folder.scan(was)
		if err != nil {
			return nil, found, err
		}
		back, changes, err := l.refused(was.Files, files, read, &found)
		if err != nil {
			return nil, found, err
		}
		if err := l.store.keep(read); err != nil {
			return nil, found, err
		}
		if len(back) == 0 {
			return files, found, nil
		}
		found.Change, found.Failed = l.putBack(ctx, back)
		if found.Failed != nil && errors.Is(found.Failed, ErrRace) && try < tries-1 {
			found = Finding{}
			select {
			case <-ctx.Done():
				return nil, found, ctx.Err()
			case <-time.After(pause):
			}
			continue
		}
		for _, name := range changes {
			if k, there := was.Files[name]; there {
				files[name] = k
			} else {
				delete(files, name)
			}
		}
		return files, found, nil
	}
	return nil, found, ErrRace // not reached: the last try returns
}

// refused compares two states. It returns the changes that restore refused documents, and the names of their files.
func (l *Live) refused(was, is map[string]known, read vfs.Files, found *Finding) (back Changed, names []string, err error) {
	differ := differing(was, is)
	if len(differ) == 0 {
		return nil, nil, nil
	}
	before, after, err := l.contents(differ, was, is, read)
	if err != nil {
		return nil, nil, err
	}
	p := Proposal{before: before, changed: changed(before, after), executable: [2]map[string]bool{executables(was), executables(is)}}
	for name := range p.executable[0] {
		if _, there := after[name]; there && p.changedBit(name, name) && before[name] == after[name] {
			p.changed[name] = FileChange{Before: content(after[name]), After: content(before[name])}
		}
	}
	p.compare(after)
	back = Changed{}
	for i, d := range p.Report.Documents {
		if l.rule.Unattended(l.rule.Judge(d)) != Denied {
			continue
		}
		found.Documents = append(found.Documents, d.Name)
		for _, name := range p.files(p.pairs[i]) {
			var change FileChange
			if k, there := is[name]; there {
				change.Before = k.file(after[name])
			}
			if k, there := was[name]; there {
				change.After = k.file(before[name])
			}
			back[name], names = change, append(names, name)
		}
	}
	const most = 20
	found.Refused = p.RefusedLines(l.rule, most)
	return back, names, nil
}

// executables says of files whether anybody may execute them.
func executables(files map[string]known) map[string]bool {
	are := map[string]bool{}
	for name, k := range files {
		if k.Meta != nil {
			are[name] = k.Meta.Mode&execBits != 0
		}
	}
	return are
}

// contents returns the files of two states that belong to documents which may differ.
func (l *Live) contents(differ []string, was, is map[string]known, read vfs.Files) (before, after vfs.Files, err error) {
	before, after = vfs.Files{}, vfs.Files{}
	for _, name := range compare.Touched(around(differ, was, is), differ) {
		if k, there := was[name]; there {
			if before[name], err = l.store.content(k); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		if k, there := is[name]; there {
			content, fresh := read[name]
			if !fresh {
				if content, err = l.store.content(k); err != nil {
					return nil, nil, fmt.Errorf("%s: %w", name, err)
				}
			}
			after[name] = content
		}
	}
	return before, after, nil
}

// putBack undoes refused changes. It first removes links that replaced documents or their folders.
func (l *Live) putBack(ctx context.Context, back Changed) (number int, err error) {
	if err := l.removeLinks(back); err != nil {
		return 0, err
	}
	all := func(string) bool { return true } // they are the person's own files
	number, err = l.folder.apply(ctx, back, Acceptance{Reason: "put back by the rule " + l.rule.String(), Named: all}, nil)
	if err == nil {
		return number, nil
	}
	for _, name := range back.Names() {
		if b := back[name].After; b != nil {
			err = fmt.Errorf("%w; %s as it was is kept in %s", err, name, l.store.path(sumOf(string(b.Content))))
		}
	}
	return 0, err
}

// removeLinks removes links from the paths of files that are to be restored.
func (l *Live) removeLinks(back Changed) error {
	t, err := openTree(l.folder.calls, l.folder.path)
	if err != nil {
		return err
	}
	defer t.close()
	for _, name := range back.Names() {
		if back[name].Before != nil {
			continue
		}
		parts := strings.Split(name, "/")
		for i := range parts {
			is, err := t.removeLink(strings.Join(parts[:i+1], "/"))
			if err != nil {
				return err
			}
			if is {
				break
			}
		}
	}
	return nil
}

// removeLink removes a name if it is a link. It moves the name away first, and back if it no longer is a link.
func (t *tree) removeLink(name string) (removed bool, err error) {
	isLink := func(name string) (is bool, err error) {
		var s unix.Stat_t
		err = t.at("stat", name, func(dir int, base string) error { return unix.Fstatat(dir, base, &s, unix.AT_SYMLINK_NOFOLLOW) })
		if absent(err) {
			return false, nil
		}
		return s.Mode&unix.S_IFMT == unix.S_IFLNK, err
	}
	if is, err := isLink(name); err != nil || !is {
		return false, err
	}
	aside := path.Join(path.Dir(name), stagedPrefix+strings.ToLower(rand.Text()))
	if err := t.move(name, aside); err != nil {
		return false, err
	}
	is, err := isLink(aside)
	if err == nil && is {
		return true, t.remove(aside, false)
	}
	return false, errors.Join(err, t.move(aside, name))
}

// adopt adds accepted changes to the snapshot, if there is one, so that a Live on the folder does not revert them.
func (f *Folder) adopt(ctx context.Context, changed Changed) error {
	s := f.live()
	if _, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	lock, err := f.lockIn(ctx, s.dir)
	if err != nil {
		return err
	}
	defer lock.Close()
	was, there, err := s.load()
	if err != nil || !there {
		return err
	}
	accepted := vfs.Files{}
	for _, name := range changed.Names() {
		after := changed[name].After
		if after == nil || after.Folder {
			delete(was.Files, name)
			continue
		}
		accepted[name] = string(after.Content)
		was.Files[name] = known{Sum: sumOf(accepted[name]), Meta: after.Meta, Times: after.Times} // has no facts, so the file is read again
	}
	if err := s.keep(accepted); err != nil {
		return err
	}
	return s.save(was)
}

// stale is how long a session without an end event counts as active.
const stale = 12 * time.Hour

func dropStale(sessions map[string]time.Time) {
	for id, last := range sessions {
		if time.Since(last) > stale {
			delete(sessions, id)
		}
	}
}

// String says what was refused and whether it was restored, for the program or person that made the change.
func (d Finding) String() string {
	names := strings.Join(slices.Compact(d.Documents), ", ")
	if d.Failed != nil {
		return fmt.Sprintf("%s could not be put back (%v). What is refused:\n%s", names, d.Failed, d.Refused)
	}
	return fmt.Sprintf("%s put back as before. What is refused:\n%s", names, d.Refused)
}
