package guard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"agentd/internal/usage"
)

// ErrRace means that another program changed the folder, so nothing was applied.
var ErrRace = errors.New("the folder was changed by something else in the meantime; nothing was applied")

// Acceptance says why changes are applied, and which protected files the user approved.
type Acceptance struct {
	Reason  string
	Command []string // what made the changes
	// Named reports whether a protected file may be changed, by its name; nil for none.
	Named func(name string) bool
}

// Apply applies all changes or none, and logs them with the reason. It returns their number in the log, 0 if there are no
// changes. If a file differs from its expected old state, or the folder changes meanwhile, the error wraps ErrRace.
func (f *Folder) Apply(ctx context.Context, changed Changed, a Acceptance) (number int, err error) {
	number, err = f.apply(ctx, changed, a, nil)
	if err == nil {
		err = f.adopt(ctx, changed)
	}
	return number, err
}

// apply is Apply. It also restores the times of folders that hold the same names again as in before.
func (f *Folder) apply(ctx context.Context, changed Changed, a Acceptance, before map[string]Look) (number int, err error) {
	if len(changed) == 0 {
		return 0, nil
	}
	lock, err := f.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer lock.Close()
	t, err := openTree(f.calls, f.path)
	if err != nil {
		return 0, err
	}
	defer t.close()
	if err := f.recover(t); err != nil {
		return 0, err
	}
	ops, err := t.plan(changed)
	if err != nil {
		return 0, explained(err)
	}
	if asked := ops.protected(t, a.Named); len(asked) > 0 {
		return 0, fmt.Errorf("%s: %s: %w", asked[0].Name, asked[0].Why, ErrRefused)
	}
	entry, err := f.begin(t, ops, a)
	if err != nil {
		return 0, err
	}
	if err := f.stage(ctx, t, &entry, a.Named); err != nil {
		return 0, f.failed(err, nil, f.abandon(t, entry))
	}
	err = t.commit(entry.Files)
	if err == nil {
		err = f.advance(&entry, applied)
	}
	if err != nil {
		left, again := f.rollBack(t, entry)
		return 0, f.failed(err, left, again)
	}
	// The changes are in the folder and in the log. Whatever cannot be cleaned up now is cleaned up at the next start.
	_ = f.clean(t, entry, before)
	return entry.Number, nil
}

// failed says why nothing was applied, or which changes remain. left holds the changes that were not rolled back, because another
// program has changed their results. again is an error of the rollback.
func (f *Folder) failed(err error, left Changed, again error) error {
	switch {
	case again != nil:
		return fmt.Errorf("%w; the next agentd guard on %s takes back what was begun: %w", err, f.path, again)
	case len(left) > 0:
		return fmt.Errorf("%w; only %s stays, as something else has changed it; the log has what it was", err, strings.Join(left.Names(), ", "))
	}
	return explained(err)
}

// explained adds what some errors mean, and that nothing was applied.
func explained(err error) error {
	switch {
	case errors.Is(err, ErrRace), errors.Is(err, ErrRefused), errors.Is(err, errNotKept):
		return err
	case errors.Is(err, unix.EBUSY), errors.Is(err, unix.EXDEV):
		return fmt.Errorf("%w: a mount point is in the way; nothing was applied", err)
	}
	return fmt.Errorf("%w; nothing was applied", err)
}

// stage writes all new files under temporary names. Existing files are not touched.
func (f *Folder) stage(ctx context.Context, t *tree, e *Entry, named func(string) bool) error {
	for _, name := range e.Files.order() {
		op := e.Files[name]
		if op.After == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.stage(op.Staged, op.After); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if op.After.Folder || op.After.Meta != nil || named != nil && named(name) {
			continue
		}
		is, err := t.read(op.Staged)
		switch {
		case err != nil:
			return err
		case is == nil:
			return fmt.Errorf("%s: %w", name, ErrRace)
		case is.Meta.Mode&execBits != 0:
			return fmt.Errorf("%s: %s here: %w", name, executable, ErrRefused)
		}
	}
	if err := t.flush(); err != nil {
		return err
	}
	return f.advance(e, ready)
}

// commit exchanges each staged file with the existing one, and then compares the old file with what was expected. Only after the
// exchange is it certain that no other program's change gets lost.
func (t *tree) commit(ops Changed) error {
	check := func(name string, op FileChange) error {
		if op.Before == nil {
			return nil
		}
		as, err := t.holds(op.Staged, op.Before)
		if err == nil && !as {
			err = fmt.Errorf("%s: %w", name, ErrRace)
		}
		return err
	}
	for _, name := range ops.order() {
		err := t.forward(name, ops[name])
		if absent(err) || errors.Is(err, unix.EEXIST) {
			err = fmt.Errorf("%w: %w", ErrRace, err)
		}
		if err == nil {
			err = check(name, ops[name])
		}
		if err != nil {
			return err
		}
	}
	if err := t.flush(); err != nil {
		return err
	}
	for name, op := range ops { // check again, for file systems that cannot tell who is writing
		if err := check(name, op); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) forward(name string, op FileChange) error {
	switch {
	case op.Before == nil:
		return t.move(op.Staged, name)
	case op.After == nil:
		return t.move(name, op.Staged)
	}
	return t.exchange(op.Staged, name)
}

// done reports whether a change was made, judging by the staged file.
func (t *tree) done(name string, op FileChange) (bool, error) {
	if err := t.settle(op.Staged, name); err != nil {
		return false, err
	}
	waiting, err := t.exists(op.Staged)
	switch {
	case err != nil:
		return false, err
	case op.After == nil:
		return waiting, nil
	case op.Before == nil && waiting:
		return false, nil
	case op.Before == nil:
		return t.exists(name)
	case !waiting:
		return false, nil
	}
	is, err := t.read(op.Staged)
	if errors.Is(err, errKind) {
		return true, nil
	}
	return err == nil && !is.same(op.After), err
}

// takeBack reverts a change that was made. If another program has changed the result since, or has it open for writing, takeBack
// leaves the change and returns false.
func (t *tree) takeBack(name string, op FileChange) (taken bool, err error) {
	made := op.After
	if made != nil {
		made = &File{Folder: made.Folder, Content: made.Content}
		if as, err := t.contains(name, made); err != nil || !as {
			return false, err
		}
	}
	switch {
	case op.After == nil:
		err = t.move(op.Staged, name)
	case op.Before != nil:
		return t.swapBack(name, op.Staged, made)
	default:
		if err = t.move(name, op.Staged); err == nil {
			if taken, err = t.holdsAtLast(op.Staged, made); err == nil && !taken {
				err = t.move(op.Staged, name)
			}
			return taken, unless(err)
		}
	}
	return err == nil, unless(err)
}

// unless returns the error, or nil if the error only means that another program was faster.
func unless(err error) error {
	if absent(err) || errors.Is(err, unix.EEXIST) {
		return nil
	}
	return err
}

// swapBack exchanges the staged old file with the new one. If the new one was changed meanwhile, it is put back. This is
// repeated until the file that comes out is the one last put in, so that no other program's edit is lost.
func (t *tree) swapBack(name, staged string, made *File) (bool, error) {
	const most = 1000
	expected := made
	for n := range most {
		put, err := t.read(staged)
		if err == nil || errors.Is(err, errKind) {
			err = t.exchange(staged, name)
		}
		if err != nil {
			return false, unless(err)
		}
		if expected == nil { // a link, which cannot be changed in place
			return false, nil
		}
		if as, err := t.holdsAtLast(staged, expected); err != nil || as {
			return n == 0, err
		}
		if expected = nil; put != nil {
			expected = &File{Folder: put.Folder, Content: put.Content}
		}
	}
	return false, fmt.Errorf("%s: %w", name, ErrRace)
}

// rollBack reverts all changes of an entry and removes the entry. A result that another program has changed meanwhile remains;
// then the entry remains too, with the old content. rollBack returns these changes.
func (f *Folder) rollBack(t *tree, e Entry) (left Changed, err error) {
	left = Changed{}
	for _, name := range slices.Backward(e.Files.order()) {
		op := e.Files[name]
		made, err := t.done(name, op)
		if err == nil && made {
			var taken bool
			if taken, err = t.takeBack(name, op); err == nil && !taken {
				left[name] = op
			}
		}
		if err != nil {
			return left, err
		}
	}
	if err := t.flush(); err != nil {
		return left, err
	}
	if len(left) > 0 {
		return left, f.keep(t, e, left)
	}
	if err := f.advance(&e, begun); err != nil {
		return left, err
	}
	return left, f.abandon(t, e)
}

// keep reduces an entry to the changes that could not be reverted.
func (f *Folder) keep(t *tree, e Entry, left Changed) error {
	for name, op := range e.Files {
		if _, stays := left[name]; !stays && op.After != nil {
			if err := t.remove(op.Staged, op.After.Folder); err != nil {
				return err
			}
		}
	}
	e.Files = left
	e.Reason += " (interrupted; only this was not taken back, as something else has changed it since)"
	if err := f.write(e, applied); err != nil {
		return err
	}
	if err := f.remove(f.file(e.Number, ready)); err != nil {
		return err
	}
	e.state = applied
	return f.clean(t, e, nil)
}

// abandon removes the staged files of an entry, and the entry. None of its changes may have been made.
func (f *Folder) abandon(t *tree, e Entry) error {
	for name, op := range e.Files {
		if op.After == nil {
			continue
		}
		if err := t.remove(op.Staged, op.After.Folder); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	f.restore(t, e, nil)
	return f.remove(f.file(e.Number, e.state))
}

// clean removes the replaced files of an entry; their contents are in the log. before holds earlier states of folders, which
// this entry may restore.
func (f *Folder) clean(t *tree, e Entry, before map[string]Look) error {
	var kept error
	for name, op := range e.Files {
		there, err := t.exists(op.Staged)
		if err != nil {
			return err
		}
		if !there {
			continue
		}
		is, err := t.read(op.Staged)
		if err != nil && !errors.Is(err, errKind) {
			return err
		}
		if err != nil || !is.same(op.Before) {
			kept = errors.Join(kept, fmt.Errorf("what something else had made of %s is kept as %s", name, op.Staged))
			continue
		}
		if err := t.remove(op.Staged, op.Before.Folder); err != nil {
			return err
		}
	}
	f.restore(t, e, before)
	return errors.Join(kept, f.advance(&e, finished))
}

// restore restores the times of folders that hold the same names as earlier, or as before the entry.
func (f *Folder) restore(t *tree, e Entry, earlier map[string]Look) {
	looks := map[string][]Look{}
	for _, at := range []map[string]Look{earlier, e.Folders} {
		for folder, was := range at {
			looks[folder] = append(looks[folder], was)
		}
	}
	for folder, was := range looks {
		t.restore(folder, was...)
	}
}

// Undo reverts the accepted change with a number, if the files are still as that change left them.
func (f *Folder) Undo(ctx context.Context, number int) (int, error) {
	entry, err := f.accepted(number)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, usage.Errorf("nothing was accepted under the number %d; agentd guard log lists the numbers", number)
	}
	if err != nil {
		return 0, err
	}
	all := func(string) bool { return true } // the user's own files
	back := entry.Files.inverted()
	undone, err := f.apply(ctx, back, Acceptance{Reason: fmt.Sprintf("undo of %d", number), Named: all}, entry.Folders)
	if err == nil {
		err = f.adopt(ctx, back)
	}
	return undone, err
}

// touched returns the folders in which names change, even for a moment.
func (c Changed) touched() []string {
	all := map[string]bool{}
	for name, op := range c {
		all[path.Dir(name)], all[path.Dir(op.Staged)] = true, true
	}
	return slices.Sorted(maps.Keys(all))
}
