package genealogy

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"agentd/vfs"
)

// drawTree draws a few people and the families between them, with the quirks of
// several programs in one file.
func drawTree(t *rapid.T) vfs.Files {
	d := drawer{T: t}
	d.line(0, "HEAD")
	d.line(1, "SOUR "+d.one("program", "Gramps 5.1", "FTM", "PAF 5.2"))
	d.maybe(1, "DATE "+d.date())
	d.maybe(1, "CHAR UTF-8")
	people := 1 + d.upTo(7, "people")
	families := d.upTo(people, "families")
	links := make([][]string, people)
	var records []string
	for n := range families {
		records = append(records, d.family(n, links))
	}
	for n := range people {
		d.person(n, links[n])
	}
	d.text = append(d.text, records...)
	d.line(0, "@S1@ SOUR")
	d.line(1, "TITL "+d.one("title", "Kirkebok for Lærdal", "1900 US Census, roll 12"))
	d.line(0, "@N1@ NOTE "+d.one("shared note", "See letter of 4/3", "From \"Aunt\" Io's Bible"))
	d.maybe(1, "CONT second leaf")
	d.line(0, "TRLR")
	return vfs.Files{document: strings.Join(d.text, "\n") + "\n"}
}

type drawer struct {
	*rapid.T
	text []string
}

func (d *drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d *drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d *drawer) line(level int, text string) {
	d.text = append(d.text, fmt.Sprintf("%d %s", level, text))
}

// maybe writes a line in two of three cases.
func (d *drawer) maybe(level int, text string) bool {
	if d.upTo(2, "line") == 0 {
		return false
	}
	d.line(level, text)
	return true
}

func (d *drawer) date() string {
	year := 1600 + d.upTo(420, "year")
	month := d.one("month", "JAN", "FEB", "MAY", "AUG", "DEC")
	exact := fmt.Sprintf("%d %s %d", 1+d.upTo(27, "day"), month, year)
	return d.one("date", exact, exact, exact, fmt.Sprintf("%s %d", month, year), fmt.Sprint(year),
		fmt.Sprintf("ABT %d", year), "BEF "+exact, fmt.Sprintf("BET %d AND %d", year, year+2),
		fmt.Sprintf("INT %d (from age, \"22\")", year), "0"+exact, strings.ToLower(exact),
		"@#DJULIAN@ "+exact, "(unknown)", fmt.Sprintf("FROM %d TO %d", year, year+9))
}

func (d *drawer) event(tag string) {
	if !d.maybe(1, tag) {
		return
	}
	d.maybe(2, "DATE "+d.date())
	d.maybe(2, "PLAC "+d.one("place", "Lærdal, Sogn, Norway", "Lærdal,Sogn", "Stoughton, Dane, Wisconsin, USA", "at sea"))
	if d.upTo(4, "age") == 0 && tag == "DEAT" {
		d.line(2, "AGE "+d.one("age", "71y", "3m 2d", "CHILD"))
	}
	if d.upTo(3, "cited") == 0 {
		d.line(2, "SOUR @S1@")
		d.maybe(3, "PAGE "+d.one("page", "p. 12, no. 3", "fol. 9b"))
	}
	d.note(2)
}

func (d *drawer) note(level int) {
	switch d.upTo(5, "note") {
	case 0:
		d.line(level, "NOTE @N1@")
	case 1:
		d.line(level, "NOTE "+d.one("note", "He wrote to ola@@nord.no, they s", "Two spaces  inside", "# not sure & <odd>"))
		d.maybe(level+1, "CONC "+d.one("concatenated", "ay.", " and so on "))
		d.maybe(level+1, d.one("continued", "CONT 1 DATE 1850", "CONT", "CONT   indented"))
	}
}

func (d *drawer) person(n int, links []string) {
	d.line(0, fmt.Sprintf("@I%d@ INDI", 100-7*n))
	given := d.one("given", "Ola", "Åse", "Mary Ann", "Jo'n \"Jack\"")
	surname := d.one("surname", "Hauge", "O'Neil", "van der Berg", "HAUGE")
	switch d.upTo(5, "name") {
	case 0:
		d.line(1, "NAME")
		d.line(2, "GIVN "+given)
		d.line(2, "SURN "+surname)
	case 1:
		d.line(1, "NAME "+given)
	case 2:
		d.line(1, "NAME "+given+" /"+surname+"/ Jr.")
		d.line(2, "GIVN "+given)
		d.line(2, "NSFX Jr.")
	default:
		d.line(1, "NAME "+given+" /"+surname+"/")
	}
	if d.upTo(4, "further name") == 0 {
		d.line(1, "NAME Kari /Moe/")
		d.line(2, "TYPE married")
	}
	d.maybe(1, "SEX "+d.one("sex", "M", "F", "U"))
	d.event("BIRT")
	d.event("DEAT")
	for range d.upTo(2, "residences") {
		d.line(1, "RESI")
		d.maybe(2, "DATE "+d.date())
		d.maybe(2, "PLAC "+d.one("residence", "Chicago, Cook, Illinois", "Bergen"))
	}
	d.note(1)
	if d.upTo(4, "godparent") == 0 {
		d.line(1, "ASSO @I100@")
		d.line(2, "RELA godparent")
	}
	d.text = append(d.text, links...)
}

// family draws a family of people by chance, and the lines that say so in
// their records.
func (d *drawer) family(n int, links [][]string) string {
	pointer := fmt.Sprintf("@F%d@", n+1)
	rest := d.text
	d.text = nil
	d.line(0, pointer+" FAM")
	member := func(tag, back string) {
		who := d.upTo(len(links)-1, tag)
		d.line(1, fmt.Sprintf("%s @I%d@", tag, 100-7*who))
		if d.upTo(7, "back link") > 0 {
			links[who] = append(links[who], "1 "+back+" "+pointer)
			if back == "FAMC" && d.upTo(3, "pedigree") == 0 {
				links[who] = append(links[who], "2 PEDI adopted")
			}
		}
	}
	if d.upTo(5, "husband") > 0 {
		member("HUSB", "FAMS")
	}
	if d.upTo(5, "wife") > 0 {
		member("WIFE", "FAMS")
	}
	d.event("MARR")
	for range d.upTo(3, "children") {
		member("CHIL", "FAMC")
	}
	record := strings.Join(d.text, "\n")
	d.text = rest
	return record
}
