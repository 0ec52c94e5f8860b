package protein

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitBackbone divides atoms into those of the backbone and the others, each with serials of
// their own.
func splitBackbone(p struct {
	Document         string
	Backbone, Others string // the files; the first also gets the lines that are of no atom
	Table            string
}) exact.Steps {
	forward := func(lines []string) (vfs.Files, error) {
		aminoAcids := map[string]bool{}
		for _, line := range lines {
			if isAtom(line) && columns(line, 13, 16) == "CA" && columns(line, 77, 78) == "C" {
				aminoAcids[part(line, 17, afterInsertion)] = true
			}
		}
		split := map[string][]string{}
		serials := map[string]int{}
		table := [][]string{{"line", "serial", "file", "new_serial"}}
		file := p.Others
		for n, line := range lines {
			if !belongsToAtom(line) {
				split[p.Backbone] = append(split[p.Backbone], line)
				continue
			}
			if isAtom(line) {
				file = p.Others
				ofBackbone := slices.Contains([]string{"N", "CA", "C", "O", "OXT"}, columns(line, 13, 16))
				if ofBackbone && aminoAcids[part(line, 17, afterInsertion)] {
					file = p.Backbone
				}
				serials[file]++
			}
			serial := strconv.Itoa(serials[file])
			table = append(table, []string{strconv.Itoa(n + 1), columns(line, 7, 11), file, serial})
			split[file] = append(split[file], replaced(line, 7, fmt.Sprintf("%5s", serial)))
		}
		return vfs.Files{
			p.Backbone: plain.Text(split[p.Backbone]), p.Others: plain.Text(split[p.Others]), p.Table: plain.WriteCSV(table),
		}, nil
	}
	return whole(p.Document, forward, func(files vfs.Files) ([]string, error) {
		backbone, err := structures.Named(files, p.Backbone)
		if err != nil {
			return nil, err
		}
		others, err := structures.Named(files, p.Others)
		if err != nil {
			return nil, err
		}
		left := map[string][]string{p.Others: others}
		var rest []string
		for _, line := range backbone {
			if belongsToAtom(line) {
				left[p.Backbone] = append(left[p.Backbone], line)
			} else {
				rest = append(rest, line)
			}
		}
		return placedBy(files, p.Table, []string{"serial", "file"}, rest, func(cells []string) (string, error) {
			serial := strings.TrimSpace(cells[0])
			if len(serial) > 5 {
				return "", fmt.Errorf("the serial %s is too long", serial)
			}
			line, err := next(left, strings.TrimSpace(cells[1]))
			return replaced(line, 7, fmt.Sprintf("%5s", serial)), err
		})
	})
}

const chainNames = latin + digits

// splitByChain writes the atoms of each chain to a file, and a table of the runs of lines that
// went to each.
func splitByChain(p struct {
	Document string
	Begins   string // names of files: the chain and .pdb follow
	Rest     string // the file for all else
	Table    string
}) exact.Steps {
	forward := func(lines []string) (vfs.Files, error) {
		split := map[string][]string{}
		table := [][]string{{"file", "first", "last"}}
		for n, line := range lines {
			file := p.Rest
			if belongsToAtom(line) || columns(line, 1, 6) == "TER" {
				chain := columns(line, 22, 22)
				if len(chain) != 1 || !strings.Contains(chainNames, chain) {
					return nil, fmt.Errorf("line %d has no chain: %q", n+1, line)
				}
				file = p.Begins + chain + ".pdb"
			}
			split[file] = append(split[file], line)
			number := strconv.Itoa(n + 1)
			if last := table[len(table)-1]; last[0] == file {
				last[2] = number
			} else {
				table = append(table, []string{file, number, number})
			}
		}
		made := vfs.Files{p.Table: plain.WriteCSV(table)}
		for name, lines := range split {
			made[name] = plain.Text(lines)
		}
		return made, nil
	}
	return whole(p.Document, forward, func(files vfs.Files) ([]string, error) {
		rows, err := plain.Table(files, p.Table, "file", "first", "last")
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
			for n := first; n <= last && err == nil; n++ {
				at[n], err = next(left, strings.TrimSpace(row[0]))
			}
			if err != nil {
				return nil, fmt.Errorf("reading %s, lines %s to %s: %w", p.Table, row[1], row[2], err)
			}
		}
		return placed(nil, at), err
	})
}
