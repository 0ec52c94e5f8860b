package protein

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	backboneFile  = "backbone.pdb"
	sideChainFile = "side_chains.pdb"
	serialsFile   = "serials.csv"
	frameFile     = "frame.pdb"
	assemblyFile  = "assembly.csv"
)

// splitBackbone divides atoms into those of the backbone and the others, each
// with serials of their own.
func splitBackbone(files vfs.Files) (vfs.Files, error) {
	lines, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	aminoAcids := map[string]bool{}
	for _, line := range lines {
		if isAtom(line) && columns(line, 13, 16) == "CA" && columns(line, 77, 78) == "C" {
			aminoAcids[part(line, 17, afterInsertion)] = true
		}
	}
	split := map[string][]string{}
	serials := map[string]int{}
	table := [][]string{{"line", "serial", "file", "new_serial"}}
	file := sideChainFile
	for n, line := range lines {
		if !belongsToAtom(line) {
			split[backboneFile] = append(split[backboneFile], line)
			continue
		}
		if isAtom(line) {
			file = sideChainFile
			if aminoAcids[part(line, 17, afterInsertion)] && isOneOf(columns(line, 13, 16), "N", "CA", "C", "O", "OXT") {
				file = backboneFile
			}
			serials[file]++
		}
		serial := strconv.Itoa(serials[file])
		table = append(table, []string{strconv.Itoa(n + 1), columns(line, 7, 11), file, serial})
		split[file] = append(split[file], replaced(line, 7, fmt.Sprintf("%5s", serial)))
	}
	return vfs.Files{
		backboneFile: plain.Text(split[backboneFile]), sideChainFile: plain.Text(split[sideChainFile]),
		serialsFile: plain.WriteCSV(table),
	}, nil
}

func mergeBackbone(files vfs.Files) (vfs.Files, error) {
	backbone, err := readNamed(files, backboneFile)
	if err != nil {
		return nil, err
	}
	sideChains, err := readNamed(files, sideChainFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, serialsFile, "line", "serial", "file")
	if err != nil {
		return nil, err
	}
	left := map[string][]string{sideChainFile: sideChains}
	var others []string
	for _, line := range backbone {
		if belongsToAtom(line) {
			left[backboneFile] = append(left[backboneFile], line)
		} else {
			others = append(others, line)
		}
	}
	at := map[int]string{}
	for _, row := range rows {
		n, err := lineNumber(row[0])
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", serialsFile, err)
		}
		name, serial := strings.TrimSpace(row[2]), strings.TrimSpace(row[1])
		if len(left[name]) == 0 || len(serial) > 5 {
			return nil, fmt.Errorf("%s: line %d has no atom in %s", serialsFile, n, name)
		}
		at[n] = replaced(left[name][0], 7, fmt.Sprintf("%5s", serial))
		left[name] = left[name][1:]
	}
	return asDocument(placed(others, at)), nil
}

// splitChains writes the atoms of each chain to a file, and a table of the runs
// of lines that went to each.
func splitChains(files vfs.Files) (vfs.Files, error) {
	lines, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	split := map[string][]string{}
	table := [][]string{{"file", "first", "last"}}
	for n, line := range lines {
		file := frameFile
		if belongsToAtom(line) || columns(line, 1, 6) == "TER" {
			chain := columns(line, 22, 22)
			if len(chain) != 1 || !strings.Contains(chainNames, chain) {
				return nil, fmt.Errorf("line %d has no chain: %q", n+1, line)
			}
			file = "chain_" + chain + ".pdb"
		}
		split[file] = append(split[file], line)
		number := strconv.Itoa(n + 1)
		if last := table[len(table)-1]; last[0] == file {
			last[2] = number
		} else {
			table = append(table, []string{file, number, number})
		}
	}
	there := vfs.Files{assemblyFile: plain.WriteCSV(table)}
	for name, lines := range split {
		there[name] = plain.Text(lines)
	}
	return there, nil
}

const chainNames = latin + digits

func mergeChains(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, assemblyFile, "file", "first", "last")
	if err != nil {
		return nil, err
	}
	left := map[string][]string{}
	for name := range files.Match(patterns) {
		left[name] = plain.Lines(files[name])
	}
	at := map[int]string{}
	for _, row := range rows {
		first, err := lineNumber(row[1])
		if err != nil {
			return nil, err
		}
		last, err := lineNumber(row[2])
		name := strings.TrimSpace(row[0])
		if err != nil || last-first >= len(left[name]) {
			return nil, fmt.Errorf("%s has no lines %s to %s", name, row[1], row[2])
		}
		for n := first; n <= last; n++ {
			at[n] = left[name][0]
			left[name] = left[name][1:]
		}
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("%s lists no lines", assemblyFile)
	}
	return asDocument(placed(nil, at)), nil
}
