package guard

import (
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// plan turns changes into steps. It finds obstacles before anything is written: files that somebody else has changed, missing
// rights, and attributes that could not be kept. It adds folders that have to be made or removed.
func (t *tree) plan(changed Changed) (Changed, error) {
	ops := Changed{}
	for _, name := range changed.Names() {
		op, err := t.planFile(name, changed[name])
		if err != nil {
			return nil, err
		}
		ops[name] = op
	}
	if err := t.planFolders(ops, changed); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(ops)) {
		if op := ops[name]; op.Before == nil || !op.Before.Folder || op.After == nil {
			continue
		}
		empty, err := t.planRemoval(name, ops)
		if err == nil && !empty {
			err = fmt.Errorf("%s is a folder that holds more than what is removed", name)
		}
		if err != nil {
			return nil, err
		}
	}
	inheritRights(ops, changed)
	return ops, t.planStaging(ops)
}

// planFile checks that a file is as it was before the change, and plans what it will be.
func (t *tree) planFile(name string, c FileChange) (FileChange, error) {
	is, err := t.read(name)
	if errors.Is(err, errKind) {
		err = fmt.Errorf("%w: %w", err, ErrRace)
	}
	if err != nil {
		return FileChange{}, err
	}
	replaced := is != nil && is.Folder && c.Before == nil
	if !replaced && !is.same(c.Before) {
		return FileChange{}, fmt.Errorf("%s: %w", name, ErrRace)
	}
	op := FileChange{Before: is}
	if c.After != nil {
		after := *c.After
		op.After = &after
	}
	if is == nil || is.Folder {
		return op, nil
	}
	switch {
	case is.links == 0: // it was replaced while it was read
		return FileChange{}, fmt.Errorf("%s: %w", name, ErrRace)
	case is.links != 1:
		return FileChange{}, fmt.Errorf("%s has %d names (hard links), of which only one would change", name, is.links)
	case is.writers:
		return FileChange{}, fmt.Errorf("%s is open for writing in another program: %w", name, ErrRace)
	case op.After == nil || op.After.Folder:
		return op, nil
	}
	// An undo gives back the rights that there were, unless they have been changed since.
	if op.After.Meta == nil || c.Before.Meta == nil || c.Before.Meta.difference(is.Meta) != "" {
		op.After.Meta = is.Meta
	}
	return op, t.at("access", name, func(dir int, base string) error { return unix.Faccessat(dir, base, unix.W_OK, unix.AT_EACCESS) })
}

// planFolders adds the folders that changed names, as an undo does, and those that new files need.
func (t *tree) planFolders(ops, changed Changed) error {
	for _, name := range changed.order() {
		c := changed[name]
		if _, file := ops[name]; file {
			continue
		}
		is, err := t.read(name)
		switch {
		case err != nil:
			return err
		case c.After != nil && is == nil:
			ops[name] = FileChange{After: c.After}
		case c.After == nil && is != nil && is.Folder && !needed(name, ops):
			empty, err := t.emptied(name, ops)
			if err != nil {
				return err
			}
			if empty {
				ops[name] = FileChange{Before: is}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ops)) {
		if ops[name].After == nil {
			continue
		}
		for above := path.Dir(name); above != "."; above = path.Dir(above) {
			if err := t.planFolder(above, ops); err != nil {
				return err
			}
		}
	}
	return nil
}

// planFolder plans a folder for a new file, unless it exists.
func (t *tree) planFolder(name string, ops Changed) error {
	if op, is := ops[name]; is {
		switch {
		case op.After == nil && op.Before.Folder:
			delete(ops, name)
		case op.After == nil:
			ops[name] = FileChange{Before: op.Before, After: &File{Folder: true}}
		case !op.After.Folder:
			return fmt.Errorf("%s would be a file and a folder", name)
		}
		return nil
	}
	is, err := t.read(name)
	switch {
	case err != nil:
		return err
	case is == nil:
		ops[name] = FileChange{After: &File{Folder: true}}
	case !is.Folder:
		return fmt.Errorf("%s is no folder: %w", name, ErrRace)
	}
	return nil
}

// needed reports whether anything will be put below a folder.
func needed(folder string, ops Changed) bool {
	for name, op := range ops {
		if op.After != nil && strings.HasPrefix(name, folder+"/") {
			return true
		}
	}
	return false
}

// emptied reports whether everything in a folder will be removed.
func (t *tree) emptied(folder string, ops Changed) (bool, error) {
	names, err := t.names(folder)
	return err == nil && !slices.ContainsFunc(names, func(name string) bool {
		op, is := ops[path.Join(folder, name)]
		return !is || op.After != nil
	}), err
}

// planRemoval plans the removal of all folders in a folder that a file will replace. It returns false if anything in them
// would stay.
func (t *tree) planRemoval(folder string, ops Changed) (bool, error) {
	names, err := t.names(folder)
	if err != nil {
		return false, err
	}
	for _, base := range names {
		name := path.Join(folder, base)
		if op, is := ops[name]; is {
			if op.After != nil {
				return false, nil
			}
			continue
		}
		is, err := t.read(name)
		if err != nil || is == nil || !is.Folder {
			return false, err
		}
		if goes, err := t.planRemoval(name, ops); err != nil || !goes {
			return false, err
		}
		ops[name] = FileChange{Before: is}
	}
	return true, nil
}

// inheritRights gives a renamed file the rights and times that it had. A renamed file is recognised by its content. No content
// may become readable by more people than before, so other new files get no more rights than each file that disappears.
// An undo already knows the rights, and keeps them.
func inheritRights(ops, changed Changed) {
	gone := map[string]*File{}
	for name, op := range ops {
		if op.After == nil && !op.Before.Folder {
			gone[name] = op.Before
		}
	}
	var rest []*File
	for _, name := range slices.Sorted(maps.Keys(ops)) {
		op := ops[name]
		edited := op.Before != nil && !op.Before.Folder
		if op.After == nil || op.After.Folder || changed[name].After.Meta != nil {
			continue
		}
		source := source(name, op.After, gone)
		switch {
		case edited && source != "":
			op.After.Meta = op.After.Meta.limited(gone[source].Meta.Mode)
		case source != "":
			op.After.Meta, op.After.Times = gone[source].Meta, gone[source].Times
			delete(gone, source)
		case !edited:
			rest = append(rest, op.After)
		}
	}
	const regular = unix.S_IFREG // so that a limit to nothing is a limit
	limit := uint32(regular | modeBits)
	for _, f := range gone {
		limit &= f.Meta.Mode | regular
		if _, list := f.Meta.Extended[accessListName]; list {
			limit &^= 0o070 // they are the list's mask, not the group's
		}
	}
	for _, f := range rest {
		if len(gone) > 0 {
			f.limit = limit
		}
	}
}

// source finds the file that was renamed: one that disappears and has the same content. One with the same base name is preferred.
func source(name string, after *File, gone map[string]*File) string {
	found := ""
	for _, from := range slices.Sorted(maps.Keys(gone)) {
		if len(after.Content) > 0 && after.same(gone[from]) && (found == "" || path.Base(from) == path.Base(name)) {
			found = from
		}
	}
	return found
}

// stagedPrefix begins the names of staged files.
const stagedPrefix = ".agentd-guard-"

// planStaging gives each change a random name in the nearest folder that exists before and after. So a new file gets
// the group and the access control list that files in that folder get.
func (t *tree) planStaging(ops Changed) error {
	for name, op := range ops {
		folder := path.Dir(name)
		for ; folder != "."; folder = path.Dir(folder) {
			if _, changes := ops[folder]; !changes {
				break
			}
		}
		op.Staged = path.Join(folder, stagedPrefix+strings.ToLower(rand.Text()))
		ops[name] = op
		if _, err := t.folder(folder); err != nil {
			return err
		}
		if err := t.do("access", folder, func() error { return unix.Faccessat(t.open[folder], ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS) }); err != nil {
			return err
		}
	}
	return nil
}
