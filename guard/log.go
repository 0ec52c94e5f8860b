package guard

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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
	Number  int       `json:"number"` // from 1, in the order of acceptance
	Time    time.Time `json:"time"`
	Folder  string    `json:"folder"`
	Reason  string    `json:"reason"`            // the rule, consent, or an undo
	Command []string  `json:"command,omitempty"` // what made it
	State   state     `json:"state"`
	Files   Changed   `json:"files"`
}

// state is how far an entry is.
type state string

const (
	begun      state = "begun"      // the folder is exchanged as a whole, or not at all
	journalled state = "journalled" // the files are written one by one, and the next process to open the folder goes on
	accepted   state = "accepted"
)

// keyOf names the log of a folder.
func keyOf(folder string) string {
	return fmt.Sprintf("%s-%.6x", filepath.Base(folder), sha256.Sum256([]byte(folder)))
}

// lock waits until no other process changes the folder, and keeps others out until it is closed.
func (f *Folder) lock() (*os.File, error) {
	if err := os.MkdirAll(f.log, 0o700); err != nil {
		return nil, fmt.Errorf("keeping accepted changes: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(f.log, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keeping accepted changes: %w", err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("waiting for another process: %w", err), file.Close())
	}
	return file, nil
}

// begin writes down what is about to be done.
func (f *Folder) begin(changed Changed, reason string, command []string) (Entry, error) {
	numbers, err := f.numbers()
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Number: 1, Time: time.Now().UTC(), Folder: f.path, Reason: reason, Command: command, State: begun, Files: changed}
	if len(numbers) > 0 {
		e.Number = numbers[len(numbers)-1] + 1
	}
	return e, f.write(e)
}

func (f *Folder) finish(e Entry) error {
	e.State = accepted
	return f.write(e)
}

// drop removes an entry that came to nothing.
func (f *Folder) drop(e Entry) error { return os.Remove(f.file(e.Number)) }

func (f *Folder) file(number int) string { return filepath.Join(f.log, strconv.Itoa(number)+".json") }

// write writes an entry so that it is whole on the disk, or as it was.
func (f *Folder) write(e Entry) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	part := f.file(e.Number) + ".part"
	_ = os.Remove(part) // of one that was killed
	if err := writeSynced(part, text, 0o600); err != nil {
		return fmt.Errorf("keeping accepted changes: %w", err)
	}
	if err := os.Rename(part, f.file(e.Number)); err != nil {
		return fmt.Errorf("keeping accepted changes: %w", err)
	}
	return syncFolder(f.log)
}

// numbers are those of all entries, in order.
func (f *Folder) numbers() ([]int, error) {
	entries, err := os.ReadDir(f.log)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var numbers []int
	for _, entry := range entries {
		if n, err := strconv.Atoi(strings.TrimSuffix(entry.Name(), ".json")); err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, err
}

func (f *Folder) entry(number int) (Entry, error) {
	var e Entry
	text, err := os.ReadFile(f.file(number))
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return e, fmt.Errorf("reading %s: %w", f.file(number), err)
	}
	return e, nil
}

// Log are all accepted changes, the oldest first.
func (f *Folder) Log() ([]Entry, error) {
	numbers, err := f.numbers()
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, n := range numbers {
		e, err := f.entry(n)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
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

// recover finishes what a process that was killed has begun.
func (f *Folder) recover() error {
	if _, err := os.Stat(f.log); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	lock, err := f.lock()
	if err != nil {
		return err
	}
	defer lock.Close()
	numbers, err := f.numbers()
	if err != nil {
		return err
	}
	for _, n := range slices.Backward(numbers) { // what comes before one that is finished is finished
		e, err := f.entry(n)
		if err != nil {
			return err
		}
		switch e.State {
		case accepted:
			return nil
		case journalled:
			if err = f.forward(e); err == nil {
				err = f.finish(e)
			}
		case begun:
			err = f.settle(e)
		}
		if err != nil {
			return fmt.Errorf("finishing change %d, which was interrupted: %w", e.Number, err)
		}
	}
	return nil
}

// settle finds out whether the folder was exchanged, and removes the other one.
func (f *Folder) settle(e Entry) error {
	applied := true
	for name, c := range e.Files {
		is, err := f.read(name)
		if err != nil {
			return err
		}
		applied = applied && equal(is, c.After)
	}
	if applied {
		if late, err := f.late(e); err != nil || late != "" {
			return errors.Join(err, fmt.Errorf("%s was made in the meantime and is in %s: take out what you need, then remove that folder", late, f.staging(e.Number)))
		}
	}
	if err := os.RemoveAll(f.staging(e.Number)); err != nil {
		return err
	}
	if applied {
		return f.finish(e)
	}
	return f.drop(e)
}

// late names something that was put into the folder after it was staged and before it was exchanged, and
// that is therefore in the other one alone.
func (f *Folder) late(e Entry) (string, error) {
	was, err := listing(f.staging(e.Number))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	is, err := listing(f.path)
	if err != nil {
		return "", err
	}
	there := map[known]bool{}
	for _, k := range is {
		there[k] = true
	}
	for _, k := range was {
		_, ours := e.Files[filepath.ToSlash(k.name)]
		if !ours && !there[k] && k.mode&unix.S_IFMT != unix.S_IFDIR {
			return k.name, nil
		}
	}
	return "", nil
}

// Names are the paths of the files, in ascending order.
func (c Changed) Names() []string { return slices.Sorted(maps.Keys(c)) }
