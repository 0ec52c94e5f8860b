package molecule

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// jsonRecord is a record in JSON. Its numbers are those of the block.
type jsonRecord struct {
	Title    string      `json:"title"`
	Program  string      `json:"program"`
	Comment  string      `json:"comment"`
	Chiral   int         `json:"chiral"`
	Atoms    []jsonAtom  `json:"atoms"`
	Bonds    [][4]int    `json:"bonds"` // from, to, order, stereo
	Charges  [][2]int    `json:"charges"`
	Isotopes [][2]int    `json:"isotopes"`
	Data     []jsonDatum `json:"data"`
}

type jsonAtom struct {
	Element string      `json:"element"`
	X       json.Number `json:"x"`
	Y       json.Number `json:"y"`
	Z       json.Number `json:"z"`
}

type jsonDatum struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// inJSON makes an array with an object for each record.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(entries []entry) (vfs.Files, error) {
		all := make([]jsonRecord, len(entries))
		for i := range entries {
			r, err := entries[i].json()
			if err != nil {
				return nil, err
			}
			all[i] = r
		}
		list, err := plain.JSONArray(all)
		return vfs.Files{p.To: list}, err
	}
	return libraries.Whole(p.Document, forward, func(files vfs.Files) (entries []entry, err error) {
		var all []jsonRecord
		err = plain.JSON(files, p.To, &all)
		for i := range all {
			entries = append(entries, all[i].entry())
		}
		return entries, err
	})
}

// json refuses what the JSON form has no place for.
func (e *entry) json() (jsonRecord, error) {
	if err := e.columnsInPlace(); err != nil {
		return jsonRecord{}, err
	}
	if len(e.header) != headerLines || e.unended {
		return jsonRecord{}, fmt.Errorf("the record %q is not complete", e.title())
	}
	t := e.table()
	r := jsonRecord{
		Title: e.header[0], Program: e.header[1], Comment: e.header[2], Chiral: t.chiral,
		Atoms: []jsonAtom{}, Bonds: [][4]int{}, Charges: [][2]int{}, Isotopes: [][2]int{}, Data: []jsonDatum{},
	}
	if len(t.lines) > 0 {
		return r, fmt.Errorf("the record %q has a line %s", r.Title, t.lines[0].Name)
	}
	for i := range t.atoms {
		a := &t.atoms[i]
		if anyNumber(t.columns[i]) || a.radicals != 0 {
			return r, fmt.Errorf("the record %q has numbers after the charge of atom %d", r.Title, i+1)
		}
		place := func(axis int) json.Number {
			return json.Number(strconv.FormatFloat(a.place[axis], 'f', -1, 64))
		}
		r.Atoms = append(r.Atoms, jsonAtom{t.symbols[i], place(0), place(1), place(2)})
		if a.charge != 0 {
			r.Charges = append(r.Charges, [2]int{i + 1, a.charge})
		}
		if a.isotope != 0 && t.symbols[i] != "D" && t.symbols[i] != "T" {
			r.Isotopes = append(r.Isotopes, [2]int{i + 1, a.isotope})
		}
	}
	for k := range t.bonds {
		if anyNumber(t.ends[k]) {
			return r, fmt.Errorf("the record %q has numbers after the stereo column of bond %d", r.Title, k+1)
		}
		b := &t.bonds[k]
		r.Bonds = append(r.Bonds, [4]int{b.a + 1, b.b + 1, t.orders[k], b.wedge})
	}
	for i := range e.data {
		d := &e.data[i]
		if err := d.isPlain(); err != nil {
			return r, err
		}
		r.Data = append(r.Data, jsonDatum{d.name(), strings.Join(d.lines, "\n")})
	}
	return r, nil
}

func anyNumber(numbers []int) bool {
	return slices.ContainsFunc(numbers, func(n int) bool { return n != 0 })
}

func (r *jsonRecord) entry() entry {
	e := entry{header: []string{r.Title, r.Program, r.Comment}, closing: delimiter}
	e.counts = fmt.Sprintf("%3d%3d  0     %d  0  0  0  0  0999 V2000", len(r.Atoms), len(r.Bonds), r.Chiral)
	for _, a := range r.Atoms {
		line := ""
		for _, value := range []json.Number{a.X, a.Y, a.Z} {
			f, _ := value.Float64()
			line += fmt.Sprintf("%10.4f", f)
		}
		e.atoms = append(e.atoms, fmt.Sprintf("%s %-3s 0  0  0  0  0", line, a.Element))
	}
	for _, b := range r.Bonds {
		e.bonds = append(e.bonds, fmt.Sprintf("%3d%3d%3d%3d", b[0], b[1], b[2], b[3]))
	}
	e.block = append(numberLines("CHG", r.Charges), numberLines("ISO", r.Isotopes)...)
	e.block = append(e.block, blockEnd)
	for _, d := range r.Data {
		e.add(d.Name, d.Value)
	}
	return e
}

// numberLines are the lines of a block for numbers of atoms, eight on each.
func numberLines(what string, pairs [][2]int) []string {
	const most = 8
	var lines []string
	for some := range slices.Chunk(pairs, most) {
		line := fmt.Sprintf("M  %s%3d", what, len(some))
		for _, p := range some {
			line += fmt.Sprintf("%4d%4d", p[0], p[1])
		}
		lines = append(lines, line)
	}
	return lines
}
