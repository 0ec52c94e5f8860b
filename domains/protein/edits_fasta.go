package protein

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// letters are the codes of the standard amino acids; X stands for the others.
var letters = map[string]string{
	"ALA": "A", "ARG": "R", "ASN": "N", "ASP": "D", "CYS": "C", "GLN": "Q", "GLU": "E", "GLY": "G", "HIS": "H", "ILE": "I",
	"LEU": "L", "LYS": "K", "MET": "M", "PHE": "F", "PRO": "P", "SER": "S", "THR": "T", "TRP": "W", "TYR": "Y", "VAL": "V",
}

var residueNames = func() map[string]string {
	names := map[string]string{}
	for name, letter := range letters {
		names[letter] = name
	}
	return names
}()

const otherLetter = "X"

// afterSequence are the records that stand after SEQRES.
var afterSequence = []string{
	"MODRES", "HET", "HETNAM", "HETSYN", "FORMUL", "HELIX", "SHEET", "TURN", "SSBOND", "LINK", "CISPEP", "SITE",
	"CRYST1", "ORIGX1", "ORIGX2", "ORIGX3", "SCALE1", "SCALE2", "SCALE3", "MTRIX1", "MTRIX2", "MTRIX3", "MODEL", "ATOM", "HETATM",
}

// inFASTA moves the sequences to a FASTA file.
func inFASTA(p struct {
	Document, To string
	Rest         string
}) exact.Steps {
	forward := func(lines []string) (vfs.Files, error) {
		s := &structure{sequence: map[string][]string{}}
		var others, sequence []string
		for _, line := range lines {
			if columns(line, 1, 6) != "SEQRES" {
				others = append(others, line)
				continue
			}
			if err := s.addSequence(line); err != nil {
				return nil, err
			}
			sequence = append(sequence, strings.TrimRight(line, " "))
		}
		var text strings.Builder
		var again []string
		for _, chain := range s.chains {
			if chain == "" {
				return nil, errors.New("a SEQRES line has no chain")
			}
			text.WriteString(fasta(chain, s.sequence[chain]))
			again = append(again, sequenceLines(chain, s.sequence[chain])...)
		}
		if len(sequence) == 0 || !slices.Equal(sequence, again) {
			return nil, errors.New("the SEQRES lines are missing or not laid out as usual")
		}
		return vfs.Files{p.To: text.String(), p.Rest: plain.Text(others)}, nil
	}
	return whole(p.Document, forward, func(files vfs.Files) ([]string, error) {
		others, err := structures.Named(files, p.Rest)
		if err != nil {
			return nil, err
		}
		text, err := plain.File(files, p.To)
		var lines []string
		for entry := range strings.SplitSeq(text, ">") {
			if strings.TrimSpace(entry) == "" {
				continue
			}
			sequence, err := readFASTA(entry)
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", p.To, err)
			}
			lines = append(lines, sequence...)
		}
		at := slices.IndexFunc(others, func(line string) bool { return slices.Contains(afterSequence, columns(line, 1, 6)) })
		if at < 0 {
			at = len(others)
		}
		return slices.Insert(others, at, lines...), err
	})
}

// fasta is the entry of a chain. Its header says where other residues stand.
func fasta(chain string, residues []string) string {
	var header, text strings.Builder
	for n, residue := range residues {
		letter, standard := letters[residue]
		if !standard {
			letter = otherLetter
			fmt.Fprintf(&header, " %d=%s", n+1, residue)
		}
		text.WriteString(letter)
	}
	return ">" + chain + header.String() + "\n" + text.String() + "\n"
}

// sequenceLines are the SEQRES lines of a chain.
func sequenceLines(chain string, residues []string) []string {
	const most = 13 // residues on a line
	var lines []string
	for n, some := range slices.Collect(slices.Chunk(residues, most)) {
		line := fmt.Sprintf("SEQRES %3d %1s %4d ", n+1, chain, len(residues))
		for _, residue := range some {
			line += fmt.Sprintf(" %3s", residue)
		}
		lines = append(lines, line)
	}
	return lines
}

// readFASTA makes the SEQRES lines of an entry.
func readFASTA(entry string) ([]string, error) {
	header, text, _ := strings.Cut(entry, "\n")
	words := strings.Fields(header)
	if len(words) == 0 {
		return nil, errors.New("an entry without a chain")
	}
	named := map[string]string{}
	for _, word := range words[1:] {
		place, residue, _ := strings.Cut(word, "=")
		named[place] = residue
	}
	var residues []string
	for n, letter := range strings.Split(strings.Join(strings.Fields(text), ""), "") {
		residue, isNamed := named[strconv.Itoa(n+1)]
		if !isNamed {
			residue = residueNames[letter]
		}
		if residue == "" {
			return nil, fmt.Errorf("chain %s: residue %d has no name", words[0], n+1)
		}
		residues = append(residues, residue)
	}
	return sequenceLines(words[0], residues), nil
}
