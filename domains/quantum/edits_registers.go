package quantum

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// declaredOnce makes sure that names mean the same throughout a program: that each
// stands as a name in one declaration alone.
func declaredOnce[V any](f *file, names map[string]V) error {
	declared := map[string]bool{}
	for i := range f.statements {
		s := &f.statements[i]
		for _, part := range f.partsOf(s) {
			at := part.from
			switch {
			case part.name == "name", part.name == "qubit" && s.form == gateForm, part.name == "parameter" && s.form == gateForm:
			case part.name == "argument" && s.form == subroutineForm:
				at = part.to - 1
			default:
				continue
			}
			name := f.of(at)
			if _, meant := names[name]; meant && declared[name] {
				return fmt.Errorf("%s is declared twice", name)
			}
			declared[name] = true
		}
	}
	return nil
}

// uniteRegisters makes one register of all.
func uniteRegisters(p struct {
	Document, To string
	Register     string // its name
	List         string // of the registers
	Table        string // of the references
}) exact.Steps {
	forward := func(f *file) (vfs.Files, error) {
		list, total, err := f.pooledRegisters()
		if err != nil {
			return nil, err
		}
		of := map[string]*pooled{}
		var changes []splice
		for n, r := range list {
			of[r.Name] = r
			start, end := f.span(r.statement)
			text := r.mark(p.Register)
			if n == 0 {
				text = fmt.Sprintf("qubit[%d] %s; %s", total, p.Register, text)
			}
			changes = append(changes, splice{start, end, text})
		}
		if err := errors.Join(declaredOnce(f, of), f.unused(p.Register)); err != nil {
			return nil, err
		}
		uses, err := f.registerUses(p.Register, of)
		table := [][]string{{"was", "now"}}
		for _, use := range uses {
			table = append(table, []string{f.text[use.start:use.end], use.text})
		}
		return vfs.Files{
			p.To: f.spliced(append(changes, uses...)), p.List: plain.WriteJSON(list), p.Table: plain.WriteCSV(table),
		}, err
	}
	return rewrite(p.Document, p.To, forward, func(f *file, files vfs.Files) (string, error) {
		var list []pooled
		if err := plain.JSON(files, p.List, &list); err != nil {
			return "", err
		}
		table, err := plain.Table(files, p.Table, "was")
		if err != nil {
			return "", err
		}
		uses, err := f.pooledUses(p.Register)
		if len(uses) > len(table) {
			err = fmt.Errorf("%s has too few rows", p.Table)
		}
		if err != nil {
			return "", err
		}
		for n := range uses {
			uses[n].text = table[n][0]
		}
		return f.spliced(append(uses, f.declarations(p.Register, list)...)), nil
	})
}

// registerUses are the references to registers as references to the pool.
func (f *file) registerUses(pool string, of map[string]*pooled) (uses []splice, err error) {
	for at := int32(0); at < int32(len(f.tokens)); at++ {
		r := of[f.of(at)]
		if r == nil || !f.isWord(at) || r.statement.from <= at && at < r.statement.end {
			continue
		}
		now, end, err := f.inPool(pool, r, at)
		if err != nil {
			return nil, err
		}
		uses = append(uses, splice{f.tokens[at].start, f.tokens[end-1].end, now})
		at = end - 1
	}
	return uses, nil
}

// pooledUses are the places of all references to the pool.
func (f *file) pooledUses(pool string) (uses []splice, err error) {
	for at := int32(0); at < int32(len(f.tokens)); at++ {
		if !f.is(at, pool) || !f.is(at+1, "[") {
			continue
		}
		index := parts{source: &f.source, at: at + 1, until: int32(len(f.tokens))}
		if !index.after("[", "]") {
			return nil, fmt.Errorf("a reference to %s has no end", pool)
		}
		uses = append(uses, splice{f.tokens[at].start, f.tokens[index.at-1].end, ""})
		at = index.at - 1
	}
	return uses, nil
}

// declarations take the one of the pool out and put those of its registers in.
func (f *file) declarations(pool string, list []pooled) (changes []splice) {
	f.top(func(_ int32, s *statement) {
		if s.form == registerForm && f.nameOf(s) == pool {
			start, end := f.span(s)
			for end < int32(len(f.text)) && f.text[end] == ' ' {
				end++
			}
			changes = append(changes, splice{start, end, ""})
		}
	})
	declarations := map[string]string{}
	for _, r := range list {
		declarations[r.mark(pool)] = r.Declaration
	}
	for _, c := range f.comments {
		if text, ok := declarations[f.text[c.start:c.end]]; ok {
			changes = append(changes, splice{c.start, c.end, text})
		}
	}
	return changes
}

// pooled is a register within the pool.
type pooled struct {
	Name        string `json:"name"`
	First       int64  `json:"first"`
	Size        int64  `json:"size"`
	Declaration string `json:"declaration"`
	single      bool
	statement   *statement
}

// mark stands in the place of the register's declaration.
func (p *pooled) mark(pool string) string {
	return fmt.Sprintf("/* %s: %s[%d:%d] */", p.Name, pool, p.First, p.First+p.Size-1)
}

// pooledRegisters gives every register its place in the pool.
func (f *file) pooledRegisters() (list []*pooled, total int64, err error) {
	e := evaluator{source: &f.source, values: map[string]int64{}}
	for _, i := range f.integers() {
		e.values[i.name] = i.value
	}
	f.top(func(_ int32, s *statement) {
		if s.form != registerForm || err != nil {
			return
		}
		name := f.nameOf(s)
		start, end := f.span(s)
		r := &pooled{
			Name: name, First: total, Size: 1, Declaration: f.text[start:end], single: true, statement: s,
		}
		for _, part := range f.partsOf(s) {
			if part.name != "size" {
				continue
			}
			r.single = false
			if r.Size, err = e.value(part.from, part.to); err == nil && r.Size < 1 {
				err = fmt.Errorf("register %s has no qubits", name)
			}
		}
		total += r.Size
		list = append(list, r)
	})
	if err == nil && len(list) == 0 {
		err = errors.New("no qubit register")
	}
	return list, total, err
}

// inPool is a reference to a register as one to the pool, and the token after it.
func (f *file) inPool(pool string, r *pooled, at int32) (now string, end int32, err error) {
	if !f.is(at+1, "[") {
		now = fmt.Sprintf("%s[%d]", pool, r.First)
		if !r.single {
			now = fmt.Sprintf("%s[%d:%d]", pool, r.First, r.First+r.Size-1)
		}
		return now, at + 1, nil
	}
	neither := fmt.Errorf("the index of %s is neither a place nor a range", r.Name)
	index := parts{source: &f.source, at: at + 1, until: int32(len(f.tokens))}
	if !index.after("[", "]") {
		return "", 0, neither
	}
	var bounds []string
	depth, from := 0, at+2
	for k := from; k < index.at; k++ {
		text := f.of(k)
		switch {
		case text == "[" || text == "(":
			depth++
		case depth == 0 && (text == ":" || k == index.at-1):
			if from == k || f.tokens[from].kind == markToken && !f.is(from, "(") {
				return "", 0, neither
			}
			bounds = append(bounds, f.text[f.tokens[from].start:f.tokens[k-1].end])
			from = k + 1
		case text == "]" || text == ")":
			depth--
		case f.tokens[k].kind == markToken && !strings.Contains("+-*/%:", text):
			return "", 0, fmt.Errorf("the index of %s is no sum or product", r.Name)
		}
	}
	if len(bounds) == 0 || len(bounds) > 3 {
		return "", 0, neither
	}
	for i, bound := range bounds {
		switch n, err := strconv.ParseInt(bound, 10, 32); {
		case i == 1 && len(bounds) == 3 || r.First == 0: // the step of a range
		case err == nil:
			bounds[i] = strconv.FormatInt(r.First+n, 10)
		default:
			bounds[i] = fmt.Sprintf("%d + %s", r.First, bound)
		}
	}
	return pool + "[" + strings.Join(bounds, ":") + "]", index.at, nil
}
