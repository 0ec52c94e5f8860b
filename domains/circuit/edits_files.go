package circuit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	mainFile     = "main.cir"
	cellsFile    = "cells.cir"
	cellPlaces   = "cell_places.csv"
	includeCells = ".include " + cellsFile
)

var errNoCell = errors.New("no subcircuit")

func isCell(u *unit) bool { return u.first().kind == commandLine && u.first().word == ".subckt" }

// splitCells moves the subcircuits to a library, by name.
func splitCells(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var cells []unit
	var rest []statement
	for _, u := range f.units() {
		switch {
		case !isCell(&u):
			rest = append(rest, u.statements...)
			continue
		case len(cells) == 0:
			rest = append(rest, statement{text: includeCells})
		}
		cells = append(cells, u)
	}
	if len(cells) == 0 {
		return nil, errNoCell
	}
	table := [][]string{{"line", "cell"}}
	for _, u := range cells {
		table = append(table, []string{decimal(u.line), u.first().subcircuitName()})
	}
	slices.SortStableFunc(cells, func(a, b unit) int {
		return cmp.Compare(a.first().subcircuitName(), b.first().subcircuitName())
	})
	var library []statement
	for n, u := range cells {
		if n > 0 {
			library = append(library, statement{})
		}
		library = append(library, u.statements...)
	}
	return vfs.Files{
		mainFile: printed(rest), cellsFile: printed(library), cellPlaces: plain.WriteCSV(table),
	}, nil
}

func inlineCells(files vfs.Files) (vfs.Files, error) {
	main, err := readNamed(files, mainFile)
	if err != nil {
		return nil, err
	}
	library, err := readNamed(files, cellsFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, cellPlaces, "line", "cell")
	if err != nil {
		return nil, err
	}
	places := plain.NotesBy(table, func(row []string) string { return strings.ToLower(row[1]) })
	var cells []unit
	for _, u := range library.units() {
		if isCell(&u) {
			u.line = 0
			if row := places.Take(u.first().subcircuitName()); row != nil {
				u.line = plain.LineNumber(row[0])
			}
			cells = append(cells, u)
		}
	}
	rest := slices.DeleteFunc(main.statements, func(s statement) bool { return s.included() == cellsFile })
	return asDocument(putIn(cells, rest)), nil
}

const (
	circuitFile = "circuit_only.cir"
	benchFile   = "bench.cir"
	benchPlaces = "bench_places.csv"
)

// sections are the parts of a bench, in order.
var sections = []string{"stimuli", "settings", "analyses", "measurements", "control"}

var sectionOfCommand = map[string]string{
	".ic": "settings", ".nodeset": "settings", ".options": "settings", ".temp": "settings",
	".ac": "analyses", ".dc": "analyses", ".four": "analyses", ".noise": "analyses", ".op": "analyses",
	".sens": "analyses", ".tf": "analyses", ".tran": "analyses",
	".meas": "measurements", ".plot": "measurements", ".print": "measurements", ".save": "measurements",
	".control": "control",
}

// section is where on the bench a unit belongs, empty if it is of the circuit.
func (u *unit) section() string {
	s := u.first()
	switch {
	case s.kind == elementLine && s.scope == "" && (s.word[0] == 'v' || s.word[0] == 'i'):
		return "stimuli"
	case s.kind == commandLine:
		return sectionOfCommand[commandName(s.word)]
	}
	return ""
}

// splitBench moves what drives and measures the circuit to a file of its own.
func splitBench(files vfs.Files) (vfs.Files, error) {
	f, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	taken, rest := f.takeOut(func(u *unit) bool { return u.section() != "" })
	table := [][]string{{"line", "section"}}
	of := map[string][]unit{}
	for _, u := range taken {
		section := u.section()
		table = append(table, []string{decimal(u.line), section})
		of[section] = append(of[section], u)
	}
	var bench []statement
	for _, section := range sections {
		if len(of[section]) == 0 {
			continue
		}
		if len(bench) > 0 {
			bench = append(bench, statement{})
		}
		bench = append(bench, statement{text: "* " + section})
		for _, u := range of[section] {
			bench = append(bench, u.statements...)
		}
	}
	return vfs.Files{
		circuitFile: printed(rest), benchFile: printed(bench), benchPlaces: plain.WriteCSV(table),
	}, nil
}

func mergeBench(files vfs.Files) (vfs.Files, error) {
	circuit, err := readNamed(files, circuitFile)
	if err != nil {
		return nil, err
	}
	bench, err := readNamed(files, benchFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, benchPlaces, "line", "section")
	if err != nil {
		return nil, err
	}
	places := plain.NotesBy(table, func(row []string) string { return row[1] })
	var taken []unit
	for _, u := range bench.units() {
		if u.first().kind <= titleLine {
			continue
		}
		u.line = 0
		if row := places.Take(u.section()); row != nil {
			u.line = plain.LineNumber(row[0])
		}
		taken = append(taken, u)
	}
	return asDocument(putIn(taken, circuit.statements)), nil
}
