package molecule

import (
	"strconv"
	"strings"
)

const extended = "M  V30 "

// extendedLine is a line of an extended connection table, with those that continue it; empty after a fault.
func (r *blockReader) extendedLine() string {
	var b strings.Builder
	for !r.wrong {
		part, ok := strings.CutPrefix(r.blockLine(), extended)
		if !r.require(ok) {
			break
		}
		begun, goesOn := strings.CutSuffix(part, "-")
		b.WriteString(begun)
		if !goesOn {
			return b.String()
		}
	}
	return ""
}

// expect reads a line that begins with these words.
func (r *blockReader) expect(words string) string {
	line := r.extendedLine()
	r.require(strings.HasPrefix(strings.ToUpper(line), words))
	return line
}

// v3000 reads an extended connection table.
func (r *blockReader) v3000() {
	r.expect("BEGIN CTAB")
	counts := strings.Fields(r.expect("COUNTS "))
	if !r.require(len(counts) >= 3) {
		return
	}
	numbers := map[string]int{} // of the atoms, by the number that is written
	r.section("ATOM", number(counts[1]), 6, func(words []string) {
		numbers[words[0]] = len(r.atoms)
		r.extendedAtom(words)
	})
	r.section("BOND", number(counts[2]), 4, func(words []string) { r.extendedBond(words, numbers) })
	for depth := 0; !r.wrong; {
		switch line := strings.ToUpper(r.extendedLine()); {
		case depth == 0 && strings.HasPrefix(line, "END CTAB"):
			r.require(strings.HasPrefix(r.blockLine(), blockEnd))
			return
		case strings.HasPrefix(line, "BEGIN"):
			depth++
		case strings.HasPrefix(line, "END"):
			depth--
		}
	}
}

// section reads lines of at least so many words, with what encloses them. Where there are no lines there is no section.
func (r *blockReader) section(name string, lines, least int, read func(words []string)) {
	if lines <= 0 {
		return
	}
	r.expect("BEGIN " + name)
	for n := 0; n < lines && !r.wrong; n++ {
		words := strings.Fields(r.extendedLine())
		if r.require(len(words) >= least) {
			read(words)
		}
	}
	r.expect("END " + name)
}

func (r *blockReader) extendedAtom(words []string) {
	a := atom{mapping: number(words[5])}
	r.require(a.setElement(words[1]))
	for axis := range a.place {
		a.place[axis] = r.coordinate(words[2+axis])
	}
	for _, word := range words[6:] {
		name, value, ok := strings.Cut(word, "=")
		r.require(ok && a.setNamed(strings.ToUpper(name), value))
	}
	r.atoms = append(r.atoms, a)
}

// setNamed sets what an extended line says of an atom. It is false where that cannot be.
func (a *atom) setNamed(name, text string) bool {
	value, err := strconv.Atoi(text)
	switch name {
	case "CHG":
		a.charge = value
	case "RAD":
		return a.set("RAD", value)
	case "MASS":
		a.isotope = value
	case "VAL":
		a.valence = value
		if value < 0 {
			a.valence = noValence
		}
	case "HCOUNT":
		a.noImplicit = value != 0
	default:
		return true
	}
	return err == nil
}

func (r *blockReader) extendedBond(words []string, numbers map[string]int) {
	from, has := numbers[words[2]]
	to, hasToo := numbers[words[3]]
	if !r.require(has && hasToo) {
		return
	}
	b := bond{a: from, b: to, kind: kindOf(number(words[1]))}
	for _, word := range words[4:] {
		if value, ok := strings.CutPrefix(word, "CFG="); ok {
			b.wedge = extendedWedge(value)
		}
	}
	r.addBond(b)
}

// extendedWedge is what a bond line has for a configuration.
func extendedWedge(configuration string) int {
	return [...]int{0, 1, 4, 6}[min(max(number(configuration), 0), 3)]
}
