package makefile

import (
	"math/bits"
	"strings"
)

// What Make enters into its table of files before it reads anything, in that
// order.
var (
	defaultSuffixes = strings.Fields(`.out .a .ln .o .c .cc .C .cpp .p .f .F .m .r .y .l .ym .yl .s .S .mod .sym
		.def .h .info .dvi .tex .texinfo .texi .txinfo .w .ch .web .sh .elc .el`)
	suffixRules = strings.Fields(`.S.o .s.o .mod.o .def.sym .c.ln .y.ln .l.ln .y.c .l.c .ym.m .lm.m .c.o .cc.o .C.o
		.cpp.o .p.o .m.o .f.o .F.o .r.o .F.f .r.f .l.r .S.s .texinfo.info .texi.info .txinfo.info .tex.dvi
		.texinfo.dvi .texi.dvi .txinfo.dvi .w.c .web.p .w.tex .web.tex`)
)

// The stems of Make's own pattern rules, and what the published program takes
// for one. Without suffix rules fewer are left.
var (
	builtInStems = strings.Fields(`% (%) %.C %.F %.S %.a %.c %.cc %.ch %.cpp %.def %.dvi %.el %.elc %.f %.h %.info %.l
		%.ln %.m %.mod %.o %.out %.p %.r %.s %.sh %.sym %.tex %.texi %.texinfo %.txinfo %.w %.web %.y %.yl %.ym`)
	bareStems   = strings.Fields(`% (%) %.c %.out %.tex`)
	readAsAStem = "# strcache performance"
)

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
			for _, by := range [...]int{4, 6, 8, 16, 19, 4} {
				a -= c
				a ^= bits.RotateLeft32(c, by)
				c += b
				a, b, c = b, c, a
			}
		}
	}
	for _, by := range [...]int{14, 11, 25, 16, 4, 14, 24} {
		c ^= b
		c -= bits.RotateLeft32(b, by)
		a, b, c = b, c, a
	}
	return b + uint32(at)
}
