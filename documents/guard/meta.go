package guard

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Meta is the attributes of a file, without times. On Linux access control lists are extended attributes. On macOS
// they are not, and are neither seen nor kept.
type Meta struct {
	Owner    uint32            `json:"owner"`
	Group    uint32            `json:"group"`
	Mode     uint32            `json:"mode"` // the rights and the bits setuid, setgid and sticky
	Extended map[string][]byte `json:"extended,omitempty"`
}

// Times are those that a program can set.
type Times struct {
	Accessed time.Time `json:"accessed"`
	Modified time.Time `json:"modified"`
}

const (
	modeBits = 0o7777
	execBits = 0o111
)

// difference names the attributes that differ, for a message; empty if none does.
func (m *Meta) difference(other *Meta) string {
	var all []string
	if m.Owner != other.Owner {
		all = append(all, "owner")
	}
	if m.Group != other.Group {
		all = append(all, "group")
	}
	for _, name := range slices.Sorted(maps.Keys(m.Extended)) {
		if is, there := other.Extended[name]; !there || !bytes.Equal(is, m.Extended[name]) {
			all = append(all, "attribute "+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(other.Extended)) {
		if _, there := m.Extended[name]; !there {
			all = append(all, "attribute "+name)
		}
	}
	if m.Mode != other.Mode {
		all = append(all, fmt.Sprintf("mode %04o", m.Mode))
	}
	return strings.Join(all, ", ")
}

// accessListName is the attribute that holds an access control list (acl(5)): a version of 4 bytes, then entries of 8 bytes,
// each beginning with a tag and rights of 2 bytes.
const accessListName = "system.posix_acl_access"

// limited is a copy with no more rights than a mode allows.
func (m *Meta) limited(mode uint32) *Meta {
	less := *m
	less.Mode &= mode
	list, there := m.Extended[accessListName]
	if !there {
		return &less
	}
	const head, size, owner, group, mask, others = 4, 8, 0x01, 0x04, 0x10, 0x20
	list = bytes.Clone(list)
	less.Extended = maps.Clone(m.Extended)
	less.Extended[accessListName] = list
	masked := false
	for at := head; at+size <= len(list); at += size {
		masked = masked || list[at] == mask
	}
	for at := head; at+size <= len(list); at += size {
		switch tag := list[at]; {
		case tag == owner:
			list[at+2] &= byte(mode >> 6)
		case tag == mask, tag == group && !masked:
			list[at+2] &= byte(mode >> 3)
		case tag == others:
			list[at+2] &= byte(mode)
		}
	}
	return &less
}

// metaOf reads the attributes of an open file.
func metaOf(fd int, s *unix.Stat_t) (*Meta, error) {
	m := &Meta{Owner: s.Uid, Group: s.Gid, Mode: uint32(s.Mode) & modeBits}
	names, err := buffered(func(to []byte) (int, error) { return unix.Flistxattr(fd, to) })
	if errors.Is(err, unix.ENOTSUP) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		if name == "" || systemOwn(name) {
			continue
		}
		value, err := buffered(func(to []byte) (int, error) { return unix.Fgetxattr(fd, name, to) })
		if errors.Is(err, noAttribute) { // removed since the list
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		if m.Extended == nil {
			m.Extended = map[string][]byte{}
		}
		m.Extended[name] = value
	}
	return m, nil
}

// buffered calls a function, which says how much room it needs, until its result fits.
func buffered(fill func([]byte) (int, error)) ([]byte, error) {
	for {
		size, err := fill(nil)
		if err != nil || size == 0 {
			return nil, err
		}
		into := make([]byte, size)
		n, err := fill(into)
		if errors.Is(err, unix.ERANGE) {
			continue
		}
		return into[:max(n, 0)], err
	}
}

// errNotKept says that an attribute of a file would be lost.
var errNotKept = errors.New("cannot be kept, so nothing was applied")

// setMeta sets the attributes of an open file. It is an error if the file system or missing rights refuse one.
func (t *tree) setMeta(fd int, name string, want *Meta) error {
	var s unix.Stat_t
	if err := t.do("stat", name, func() error { return unix.Fstat(fd, &s) }); err != nil {
		return err
	}
	is, err := metaOf(fd, &s)
	if err != nil {
		return err
	}
	refused := func(what string, err error) error {
		for _, why := range []error{unix.EPERM, unix.ENOTSUP} {
			if errors.Is(err, why) {
				return fmt.Errorf("%s %w: %w", what, errNotKept, why)
			}
		}
		return err
	}
	if want.Owner != is.Owner || want.Group != is.Group {
		if err := t.do("chown", name, func() error { return unix.Fchown(fd, int(want.Owner), int(want.Group)) }); err != nil {
			return refused(want.difference(&Meta{Owner: is.Owner, Group: is.Group, Mode: want.Mode, Extended: want.Extended}), err)
		}
	}
	for attribute := range is.Extended {
		if _, stays := want.Extended[attribute]; !stays {
			if err := t.do("removexattr", name, func() error { return unix.Fremovexattr(fd, attribute) }); err != nil {
				return refused("attribute "+attribute, err)
			}
		}
	}
	for attribute, value := range want.Extended {
		if has, there := is.Extended[attribute]; there && bytes.Equal(has, value) {
			continue
		}
		if err := t.do("setxattr", name, func() error { return unix.Fsetxattr(fd, attribute, value, 0) }); err != nil {
			return refused("attribute "+attribute, err)
		}
	}
	// Last, as a change of the owner takes bits away, and lists of access rights change others.
	if err := t.do("chmod", name, func() error { return unix.Fchmod(fd, want.Mode) }); err != nil {
		return refused(fmt.Sprintf("mode %04o", want.Mode), err)
	}
	if err := t.do("stat", name, func() error { return unix.Fstat(fd, &s) }); err != nil {
		return err
	}
	if is, err = metaOf(fd, &s); err != nil {
		return err
	}
	if differs := want.difference(is); differs != "" {
		return fmt.Errorf("%s %w: the file system does not take it", differs, errNotKept)
	}
	return nil
}
