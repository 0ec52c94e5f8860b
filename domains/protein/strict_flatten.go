package protein

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

const (
	lineKind   = "line"
	remarkKind = "remark"
	modelKind  = "model"
)

// elements flattens files of any name, as if they were one.
func elements(files vfs.Files) []domains.Element {
	f := &flattener{atom: -1, model: -1}
	for _, name := range files.Names() {
		for _, line := range plain.Lines(files[name]) {
			f.line(line)
		}
	}
	f.closeText()
	f.closeModel()
	return f.all
}

type flattener struct {
	all     []domains.Element
	atoms   int // so far
	remarks int
	models  int
	ends    int
	model   int    // the open model in all, -1 if none is
	atom    int    // the atom in all that a line may say more of, -1 if there is none
	site    string // the columns of its line that say which atom it is
	chain   string // of the last atom
	text    *continued
}

func (f *flattener) add(e domains.Element) { f.all = plain.Append(f.all, e) }

func (f *flattener) foreign(line string) {
	if text := pytext.Collapse(line); text != "" {
		f.add(domains.Element{Kind: lineKind, Key: lineKind, Fields: []domains.Field{{Value: text}}})
	}
}

func (f *flattener) line(line string) {
	if isAtom(line) {
		f.closeText()
		f.addAtom(line)
		return
	}
	record := strings.TrimRight(part(line, 0, 6), " ")
	if isContinued(record) {
		f.addText(record, line)
		return
	}
	f.closeText()
	switch record {
	case "ANISOU", "SIGATM", "SIGUIJ":
		f.addTensor(record, line)
		return
	case "HEADER":
		f.add(layouts[record].element(strings.ToUpper(line)))
	case "REMARK":
		f.addRemark(line)
	case "MODEL":
		f.openModel(line)
	case "ENDMDL":
		if f.model < 0 {
			f.foreign(line)
		}
		f.model = -1
	case "END":
		f.foreign(part(line, 6, toEnd))
	case "SEQRES":
		f.addSequence(line)
	case "TER":
		f.addEnd(line)
	default:
		if l := layouts[record]; l != nil {
			f.add(l.element(line))
		} else {
			f.foreign(line)
			return
		}
	}
	f.atom = -1
}

func (f *flattener) addAtom(line string) {
	a := readAtom(line)
	f.atoms++
	e := domains.Element{Kind: counted, Key: a.key(), Fields: a.fields(), Position: f.atoms}
	if f.models > 1 {
		model := strconv.Itoa(f.models)
		e.Key += " in model " + model
		e.Fields = append(e.Fields, domains.Field{Name: modelKind, Value: model})
	}
	f.atom, f.site, f.chain = len(f.all), part(line, 6, afterInsertion), a.chain
	f.add(e)
}

// tensorNames are the fields of an ANISOU line, which begin at column 29.
var tensorNames = [6]string{"U11", "U22", "U33", "U12", "U13", "U23"}

// addTensor adds a line that says more of an atom to that atom.
func (f *flattener) addTensor(record, line string) {
	if f.atom < 0 || part(line, 6, afterInsertion) != f.site {
		f.foreign(line)
		return
	}
	e := &f.all[f.atom]
	if e.Value(record+" U11") != "" || e.Value(record) != "" {
		f.foreign(line)
		return
	}
	const first, width = 28, 7
	if record == "SIGATM" {
		e.Fields = append(e.Fields, domains.Field{Name: record, Value: pytext.Collapse(part(line, first, 76))})
		return
	}
	for n, name := range tensorNames {
		value := plain.Number(part(line, first+width*n, first+width*(n+1)))
		e.Fields = append(e.Fields, domains.Field{Name: record + " " + name, Value: value})
	}
}

func (f *flattener) addRemark(line string) {
	number, text := pytext.Strip(part(line, 7, 10)), part(line, 10, toEnd)
	if _, ok := integer(number); !ok || part(line, 6, 7) != " " {
		number, text = "", part(line, 6, toEnd)
	}
	if text = pytext.Collapse(text); text == "" {
		return
	}
	f.remarks++
	e := domains.Element{Kind: remarkKind, Key: "REMARK", Position: f.remarks, Fields: []domains.Field{{Name: "text", Value: text}}}
	if number != "" {
		e.Key += " " + number
		e.Fields = append(e.Fields, domains.Field{Name: "number", Value: plain.Number(number)})
	}
	f.add(e)
}

func (f *flattener) openModel(line string) {
	f.closeModel()
	f.models++
	f.model = len(f.all)
	number := pytext.Collapse(part(line, 6, toEnd))
	f.add(domains.Element{
		Kind: modelKind, Key: "model " + number, Position: f.models,
		Fields: []domains.Field{{Name: "number", Value: plain.Number(number)}},
	})
}

func (f *flattener) closeModel() {
	if f.model >= 0 {
		e := &f.all[f.model]
		e.Fields = append(e.Fields, domains.Field{Name: "ENDMDL", Value: "missing"})
	}
	f.model = -1
}

// addSequence makes a field of each residue that a line has.
func (f *flattener) addSequence(line string) {
	const first, most = 19, 13
	e := layouts["SEQRES"].element(part(line, 0, first))
	residues := pytext.Fields(part(line, first, toEnd))
	for n, residue := range residues[:min(len(residues), most)] {
		e.Fields = append(e.Fields, domains.Field{Name: fmt.Sprintf("residue %d", n+1), Value: residue})
	}
	if len(residues) > most {
		e.Fields = append(e.Fields, domains.Field{Name: "rest", Value: strings.Join(residues[most:], " ")})
	}
	f.add(e)
}

// addEnd adds the end of a chain and the chain that it stands after.
func (f *flattener) addEnd(line string) {
	f.ends++
	e := layouts["TER"].element(line)
	e.Position = f.ends
	if f.chain != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "after chain", Value: f.chain})
	}
	f.add(e)
}

// without leaves out atom lines, with the lines that say more of an atom.
func without(_, text string, leave func() bool) string {
	var kept []string
	gone := false
	for _, line := range plain.Lines(text) {
		switch {
		case isAtom(line):
			gone = leave()
		case !isTensor(line):
			gone = false
		}
		if !gone {
			kept = append(kept, line)
		}
	}
	return plain.Text(kept)
}

// isTensor recognizes a line that says more of the atom before it.
func isTensor(line string) bool {
	return strings.HasPrefix(line, "ANISOU") || strings.HasPrefix(line, "SIGATM") || strings.HasPrefix(line, "SIGUIJ")
}
