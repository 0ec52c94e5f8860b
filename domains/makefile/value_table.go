package makefile

import "math/bits"

// table is Make's table of files. The order in which it prints them decides
// what the published program reads.
type table struct {
	slots  []*file
	fill   int
	byName map[string]*file
}

func newTable() table {
	t := table{slots: make([]*file, 1024), byName: map[string]*file{}}
	t.enter(".SUFFIXES")
	t.enterAll(defaultSuffixes)
	t.enterAll(suffixRules)
	t.enter(".DEFAULT")
	return t
}

func (t *table) has(name string) bool { return t.byName[name] != nil }

// enter returns the file of that name, a new one if there is none.
func (t *table) enter(name string) *file {
	f := t.byName[name]
	if f != nil {
		return f
	}
	f = &file{name: name, hash: hash(name)}
	t.byName[name] = f
	t.place(f)
	if t.fill++; t.fill > len(t.slots)-len(t.slots)/16 {
		t.grow()
	}
	return f
}

func (t *table) enterAll(names []string) {
	for _, name := range names {
		if name != "|" {
			t.enter(name)
		}
	}
}

func (t *table) place(f *file) {
	slot := int(f.hash) % len(t.slots)
	for t.slots[slot] != nil {
		slot = (slot + 1) % len(t.slots)
	}
	t.slots[slot] = f
}

func (t *table) grow() {
	old := t.slots
	t.slots = make([]*file, 2*len(old))
	for _, f := range old {
		if f != nil {
			t.place(f)
		}
	}
}

// hash is Bob Jenkins' lookup3 as Make has it for texts that end in a NUL.
func hash(text string) uint32 {
	const start = 0xdeadbeef
	a, b, c := uint32(start), uint32(start), uint32(start)
	words := [3]*uint32{&a, &b, &c}
	at := 0
	for n := 0; ; n = (n + 1) % 3 {
		word, left := uint32(0), len(text)-at
		for i := range min(left, 4) {
			word |= uint32(text[at+i]) << (8 * i)
		}
		*words[n] += word
		if left < 4 {
			break
		}
		at += 4
		if n == 2 {
			mix(&a, &b, &c)
		}
	}
	final(&a, &b, &c)
	return c + uint32(at)
}

func mix(a, b, c *uint32) {
	turn := func(x, y, z *uint32, by int) {
		*x -= *z
		*x ^= bits.RotateLeft32(*z, by)
		*z += *y
	}
	turn(a, b, c, 4)
	turn(b, c, a, 6)
	turn(c, a, b, 8)
	turn(a, b, c, 16)
	turn(b, c, a, 19)
	turn(c, a, b, 4)
}

func final(a, b, c *uint32) {
	turn := func(x, y *uint32, by int) {
		*x ^= *y
		*x -= bits.RotateLeft32(*y, by)
	}
	turn(c, b, 14)
	turn(a, c, 11)
	turn(b, a, 25)
	turn(c, b, 16)
	turn(a, c, 4)
	turn(b, a, 14)
	turn(c, b, 24)
}
