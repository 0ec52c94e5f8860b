package guard

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"agentd/internal/printable"
)

// Entry is a change that was accepted.
type Entry struct {
	Number  int             `json:"number"` // from 1, in the order of acceptance
	Time    time.Time       `json:"time"`
	Folder  string          `json:"folder"`
	Reason  string          `json:"reason"`            // the rule, consent, or an undo
	Command []string        `json:"command,omitempty"` // what made it
	Files   Changed         `json:"files"`
	Folders map[string]Look `json:"folders"` // those that the files are in, before

	state state
}

// state is how far an entry has come. It is the extension of its file, so that renaming the file is the step to the next state.
type state string

const (
	begun    state = ".begun"   // new files are being staged; existing files are untouched
	ready    state = ".ready"   // all are staged; some may be exchanged already
	applied  state = ".applied" // all are exchanged; replaced files are still to be removed
	finished state = ".json"
)

const lockName = "lock"

// partSuffix ends the names of files that are being written.
const partSuffix = ".part"

// keyOf names the log of a folder.
func keyOf(folder string) string {
	return fmt.Sprintf("%s-%.6x", filepath.Base(folder), sha256.Sum256([]byte(folder)))
}

// keeping says that an error is one of the log.
func keeping(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("keeping accepted changes: %w", err)
}

// lock waits until no other process changes the folder, and keeps others out until it is closed. It stops waiting when the
// context ends.
func (f *Folder) lock(ctx context.Context) (*os.File, error) { return f.lockIn(ctx, f.log) }

// lockIn is lock for what is kept in one of the folder's own places.
func (f *Folder) lockIn(ctx context.Context, kept string) (*os.File, error) {
	if err := f.makeFolders(kept); err != nil {
		return nil, keeping(err)
	}
	name := filepath.Join(kept, lockName)
	var file *os.File
	err := f.do("open", name, func() (err error) {
		file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		return err
	})
	if err != nil {
		return nil, keeping(err)
	}
	const longest = 100 * time.Millisecond
	for wait := time.Millisecond; ; wait = min(2*wait, longest) {
		err := f.do("flock", name, func() error { return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, errors.Join(keeping(err), file.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("waiting for another agentd guard on the folder: %w", ctx.Err()), file.Close())
		case <-time.After(wait):
		}
	}
}

// begin writes the entry of a change that is about to be made.
func (f *Folder) begin(t *tree, ops Changed, a Acceptance) (Entry, error) {
	e := Entry{Number: 1, Time: time.Now().UTC(), Folder: f.path, Reason: a.Reason, Command: a.Command, Files: ops, Folders: map[string]Look{}, state: begun}
	for _, name := range ops.touched() {
		look, err := t.look(name)
		if absent(err) { // one that is made
			continue
		}
		if err != nil {
			return e, err
		}
		e.Folders[name] = look
	}
	states, err := f.states()
	if err != nil {
		return e, err
	}
	for number := range states {
		e.Number = max(e.Number, number+1)
	}
	return e, f.write(e, begun)
}

func (f *Folder) file(number int, s state) string {
	return filepath.Join(f.log, strconv.Itoa(number)+string(s))
}

// write writes an entry to the disk completely or not at all.
func (f *Folder) write(e Entry, s state) error {
	text, err := json.Marshal(e)
	if err != nil {
		return keeping(err)
	}
	part := filepath.Join(f.log, strings.ToLower(rand.Text())+partSuffix)
	if err = f.create(part, text); err == nil {
		err = f.rename(part, f.file(e.Number, s))
	}
	if err != nil {
		_ = f.remove(part) // the next process removes it otherwise
	}
	return keeping(err)
}

// advance moves an entry to another state, and flushes that.
func (f *Folder) advance(e *Entry, to state) error {
	if err := f.rename(f.file(e.Number, e.state), f.file(e.Number, to)); err != nil {
		_ = f.rename(f.file(e.Number, to), f.file(e.Number, e.state)) // in case it was renamed and only flushing failed
		return keeping(err)
	}
	e.state = to
	return nil
}

// states returns the states of all entries, by number.
func (f *Folder) states() (map[int]state, error) {
	names, err := f.list(f.log)
	all := map[int]state{}
	for _, name := range names {
		s := state(filepath.Ext(name))
		number, err := strconv.Atoi(strings.TrimSuffix(name, string(s)))
		if err != nil || !slices.Contains([]state{begun, ready, applied, finished}, s) {
			continue
		}
		if all[number] != applied { // ready may be left with it
			all[number] = s
		}
	}
	return all, keeping(err)
}

func (f *Folder) entry(number int, s state) (Entry, error) {
	e := Entry{state: s}
	text, err := f.read(f.file(number, s))
	if err != nil {
		return e, keeping(err)
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return e, fmt.Errorf("reading %s: %w", f.file(number, s), err)
	}
	return e, nil
}

// accepted reads an entry of the log.
func (f *Folder) accepted(number int) (Entry, error) {
	states, err := f.states()
	if err != nil {
		return Entry{}, err
	}
	if s := states[number]; s == applied || s == finished {
		return f.entry(number, s)
	}
	return Entry{}, fs.ErrNotExist
}

// Log returns all accepted changes, the oldest first.
func (f *Folder) Log() ([]Entry, error) {
	states, err := f.states()
	if err != nil {
		return nil, err
	}
	var all []Entry
	for number, s := range states {
		if s == begun || s == ready { // of a process that is at work
			continue
		}
		e, err := f.entry(number, s)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Entry) int { return a.Number - b.Number })
	return all, nil
}

// WriteLog prints a line for each accepted change.
func (f *Folder) WriteLog(w io.Writer) error {
	entries, err := f.Log()
	for _, e := range entries {
		printable.Fprintf(w, "%4d  %s  %s  %s  %s\n", e.Number, e.Time.Local().Format(time.DateTime),
			strings.Join(e.Files.Names(), ", "), e.Reason, strings.Join(e.Command, " "))
	}
	return err
}

// recoverIfNeeded calls recover if a killed process left anything. It waits for a process that is still at work.
func (f *Folder) recoverIfNeeded(ctx context.Context) (err error) {
	names, err := f.list(f.log)
	if err != nil {
		return keeping(err)
	}
	if !slices.ContainsFunc(names, func(name string) bool { return name != lockName && filepath.Ext(name) != string(finished) }) {
		return nil
	}
	lock, err := f.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Close()
	t, err := openTree(f.calls, f.path)
	if err != nil {
		return err
	}
	defer t.close()
	return f.recover(t)
}

// recover finishes the changes of a killed process that are in the log, and takes back any other. The lock must be held.
func (f *Folder) recover(t *tree) error {
	names, err := f.list(f.log)
	if err != nil {
		return keeping(err)
	}
	for _, name := range names {
		if filepath.Ext(name) == partSuffix {
			if err := f.remove(filepath.Join(f.log, name)); err != nil {
				return keeping(err)
			}
		}
	}
	states, err := f.states()
	if err != nil {
		return err
	}
	for number, s := range states {
		if s == finished {
			continue
		}
		e, err := f.entry(number, s)
		if err == nil {
			err = f.resume(t, e)
		}
		if err != nil {
			return fmt.Errorf("settling change %d, which was interrupted: %w", number, err)
		}
	}
	return nil
}

// resume finishes or takes back one entry.
func (f *Folder) resume(t *tree, e Entry) error {
	switch e.state {
	case begun:
		return f.abandon(t, e)
	case ready:
		_, err := f.rollBack(t, e)
		return err
	}
	if err := f.remove(f.file(e.Number, ready)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return f.clean(t, e, nil)
}
