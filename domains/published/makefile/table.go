package makefile

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
)

// What Make enters into its table of files before it reads anything, in that order.
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

// table is Make's table of files. The order in which it prints them decides what the published program reads.
type table struct {
	slots  []*file
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

// enter returns the file of that name, a new one if there is none.
func (t *table) enter(name string) *file {
	f := t.byName[name]
	if f != nil {
		return f
	}
	f = &file{name: name, hash: hash(name)}
	t.byName[name] = f
	if len(t.byName) < len(t.slots) { // what a full table would do with more no makefile needs
		t.place(f)
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

// file is a name that a makefile mentions.
type file struct {
	name          string
	isTarget      bool
	doubleColon   bool
	phony         bool
	prerequisites []string // "|" among them
	recipe        []string
	variables     []targetVariable
	hash          uint32
	visited       bool
}

// targetVariable is a target-specific variable as Make prints it.
type targetVariable struct{ name, text string }

// patternRule is one of the makefile's.
type patternRule struct {
	targets       []string
	prerequisites []string
	recipe        []string
}

func hasCommand(recipe []string) bool {
	return slices.ContainsFunc(recipe, func(line string) bool { return strings.Trim(line, " \t@+-") != "" })
}

// nameCost is what a name in a list takes from the budget.
const nameCost = 8

// endRule records the rule that was read, if there is one.
func (s *scan) endRule() {
	r := s.rule
	s.rule = nil
	if r == nil || s.err != nil {
		return
	}
	if strings.Contains(r.targets[0], "%") {
		p := patternRule{r.targets, fileNames(strings.Replace(r.prerequisites, "|", " ", 1)), r.recipe}
		s.patterns = plain.Append(s.patterns, p)
		return
	}
	prerequisites := fileNames(strings.ReplaceAll(r.prerequisites, "|", " | "))
	if r.pattern == "" {
		s.table.enterAll(prerequisites)
	}
	for _, name := range r.targets {
		s.record(name, r, prerequisites)
	}
}

func (s *scan) record(name string, r *rule, prerequisites []string) {
	if r.pattern != "" {
		if stem, ok := stemOf(r.pattern, name); ok {
			replaced := make([]string, len(prerequisites))
			for i, p := range prerequisites {
				replaced[i] = strings.Replace(p, "%", stem, 1)
				if !s.spend(len(replaced[i])) {
					return
				}
			}
			prerequisites = replaced
		}
		s.table.enterAll(prerequisites)
	}
	f := s.table.enter(name)
	if f.isTarget && f.doubleColon != r.doubleColon {
		s.fail("target file %q has both : and :: entries", name)
		return
	}
	f.isTarget = true
	if f.prerequisites == nil {
		f.prerequisites = slices.Clip(prerequisites)
	} else if s.spend(nameCost * len(prerequisites)) {
		f.prerequisites = append(f.prerequisites, prerequisites...)
	}
	s.targets++
	f.doubleColon = r.doubleColon
	if r.hasRecipe && (hasCommand(r.recipe) || f.recipe == nil) {
		f.recipe = r.recipe
	}
	switch name {
	case ".PHONY":
		for _, p := range prerequisites {
			s.table.enter(p).phony = true
		}
	case ".SUFFIXES":
		s.noSuffixes = s.noSuffixes || len(prerequisites) == 0
	}
}

// targetVariable records "target: name = value".
func (s *scan) targetVariable(names []string, a assignment) {
	name, value, operator := trimBlanks(s.expand(a.Name)), a.Value, "="
	switch a.Operator {
	case ":=", "::=":
		operator, value = ":=", strings.ReplaceAll(s.expand(value), "$", "$$")
	case "!=":
		value = ""
	case "+=":
		operator = "+="
	case "?=":
		if s.variables[name] != nil {
			return
		}
	}
	for _, target := range names {
		if strings.Contains(target, "%") || !s.spend(len(value)) {
			continue
		}
		f := s.table.enter(target)
		v := targetVariable{name, name + " " + operator + " " + value}
		at := slices.IndexFunc(f.variables, func(old targetVariable) bool { return old.name == name })
		if at < 0 {
			f.variables = append(f.variables, v)
		} else {
			f.variables[at] = v
		}
		if !s.spend(len(f.variables)) {
			return
		}
	}
}

// mostTried is how many pairs of a name and a pattern rule are looked at.
const mostTried = 1 << 20

// checkGoal walks to what the default goal needs, as if no file existed, and fails where Make would not know how to
// make something. It ends at the first target with a recipe, since that would have to be run.
func (m *maker) checkGoal() {
	goal := cmp.Or(trimBlanks(m.value(".DEFAULT_GOAL")), m.goal)
	if goal == "" {
		m.fail("no targets")
	}
	if m.err != nil {
		return
	}
	type step struct {
		file *file
		next int // of its prerequisites
	}
	tried := 0
	path := []step{{file: m.table.enter(goal)}}
	path[0].file.visited = true
	for len(path) > 0 {
		last := &path[len(path)-1]
		f := last.file
		if last.next == 0 && !f.phony && !hasCommand(f.recipe) && tried < mostTried {
			tried += len(m.patterns)
			m.findImplicit(f)
		}
		if last.next < len(f.prerequisites) {
			name := f.prerequisites[last.next]
			last.next++
			if name == "|" {
				continue
			}
			if next := m.table.enter(name); !next.visited {
				next.visited = true
				path = append(path, step{file: next})
			}
			continue
		}
		if hasCommand(f.recipe) {
			return
		}
		if !f.isTarget && !f.phony {
			m.fail("no rule to make target %q", f.name)
			return
		}
		path = path[:len(path)-1]
	}
}

// findImplicit gives a file the prerequisites and recipe of the first pattern
// rule of which all prerequisites are mentioned.
func (m *maker) findImplicit(f *file) {
	for _, rule := range m.patterns {
		if !hasCommand(rule.recipe) {
			continue
		}
		for _, pattern := range rule.targets {
			stem, ok := stemOf(pattern, f.name)
			if !ok || stem == "" {
				continue
			}
			if made, ok := m.mentioned(rule.prerequisites, stem); ok {
				f.prerequisites = append(f.prerequisites, made...)
				f.recipe = rule.recipe
				return
			}
		}
	}
}

func (m *maker) mentioned(prerequisites []string, stem string) (made []string, ok bool) {
	for _, p := range prerequisites {
		name := strings.Replace(p, "%", stem, 1)
		if m.table.byName[name] == nil {
			return nil, false
		}
		made = append(made, name)
	}
	return made, true
}
