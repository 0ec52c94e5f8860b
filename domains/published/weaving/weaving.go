// Package weaving is the published reading and score of the domain weaving.
//
//   - threading: both empty 1, one empty 0; else the share of keys in the union for which the values are equal; lists
//     are compared sorted, a list never equals a single number, an absent key never equals a present one.
//   - treadling: the same on treadling.
//   - tieup: the same on tieup, an absent entry counting as an empty list (an entry with an unreadable value is
//     absent).
//   - color: both empty 1, one empty 0; else mean over the union of keys: absent on one side 0; equal 1; else max(0, 1
//   - d / (999 * sqrt 3)) with d the Euclidean distance, whatever the declared range.
//   - parameters: the fields weaving Shafts, Treadles, Rising Shed; warp Threads, Units, Color, Spacing, Thickness;
//     weft the same five. Fields absent on both sides are left out; equal / counted (texts case-sensitive, decimals as
//     numbers); no field at all: 1 and no gate. The result is multiplied by g^2, where g is the mean of min(candidate
//     size / reference size, 1) over threading and treadling, those empty in the reference left out (no gate if both
//     are).
//   - score = 0.30 threading + 0.30 treadling + 0.20 tieup + 0.10 color + 0.10 parameters. Not rounded.
//
// R, or ratio, is that of package ratio, with the reference first.
package weaving

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Draft is a document as the published evaluator reads it. Integers are kept as text, without a plus sign or zeros in
// front; lists are sorted and joined by commas.
type Draft struct {
	files    int
	settings map[string]string // "WARP Units" -> "inches"
	// By number of thread, pick, treadle and colour, in order.
	threading, treadling, tieup, colors []option
	faults                              []error // of files, or of the settings where reading stopped
}

// Parse reads a document as the published evaluator does: each file for itself,
// then all merged entry by entry. A file that it cannot read is empty.
func Parse(files vfs.Files) (Draft, error) {
	d := Draft{settings: map[string]string{}}
	for _, name := range files.Names() {
		if path.Ext(name) != ".wif" {
			continue
		}
		d.files++
		c, err := readINI(files[name])
		if err == nil {
			err = d.interpret(c)
		}
		if err != nil {
			d.faults = append(d.faults, fmt.Errorf("%s: %w", name, err))
		}
	}
	for _, list := range []*[]option{&d.threading, &d.treadling, &d.tieup, &d.colors} {
		*list = inOrder(*list)
	}
	return d, nil
}

// interpret adds a file to the draft. It stops at the first number among the settings that is none.
func (d *Draft) interpret(c *ini) error {
	weaving, err := readSettings(c, "WEAVING")
	if err != nil {
		return err // nothing of the section stays
	}
	maps.Copy(d.settings, weaving)
	for _, section := range []string{"WARP", "WEFT"} {
		yarn, err := readSettings(c, section)
		maps.Copy(d.settings, yarn)
		if err != nil {
			return err
		}
	}
	d.threading = numbered(d.threading, c.of("THREADING"), integerList)
	d.treadling = numbered(d.treadling, c.of("TREADLING"), integerList)
	d.tieup = numbered(d.tieup, c.of("TIEUP"), integerList)
	d.colors = numbered(d.colors, c.of("COLOR TABLE"), color)
	return nil
}

// readSettings reads the settings of a section up to the first that it cannot.
func readSettings(c *ini, section string) (map[string]string, error) {
	read := map[string]string{}
	for _, o := range c.of(section) {
		convert := settingOf[section][o.name]
		if convert == nil {
			continue
		}
		value, ok := convert(o.value)
		if !ok {
			return read, fmt.Errorf("%s of [%s] cannot be %.40q", o.name, section, o.value)
		}
		read[section+" "+o.name] = value
	}
	return read, nil
}

// settingOf are the settings that are compared, with what makes their values comparable.
var settingOf = map[string]map[string]func(string) (string, bool){
	"WEAVING": {"Shafts": integer, "Treadles": integer, "Rising Shed": isTrue},
	"WARP":    yarnSettings,
	"WEFT":    yarnSettings,
}

var yarnSettings = map[string]func(string) (string, bool){
	"Threads": integer, "Units": asItIs, "Color": integer, "Spacing": decimal, "Thickness": decimal,
}

func asItIs(value string) (string, bool) { return value, true }

func isTrue(value string) (string, bool) {
	return fmt.Sprint(pytext.Lower(value) == "true"), true
}

func decimal(value string) (string, bool) {
	f, ok := pytext.Float(value)
	return fmt.Sprint(f + 0), ok // and not minus zero
}

// numbered adds the readable entries of a section to a list.
func numbered(list, entries []option, convert func(string) (string, bool)) []option {
	list = slices.Grow(list, len(entries))
	for _, o := range entries {
		number, ok := integer(o.name)
		if !ok {
			continue
		}
		if value, ok := convert(o.value); ok {
			list = append(list, option{number, value})
		}
	}
	return list
}

// inOrder sorts a list by number and keeps the last entry of each.
func inOrder(list []option) []option {
	byNumber := func(a, b option) int { return compareNumbers(a.name, b.name) }
	slices.SortStableFunc(list, byNumber)
	kept := list[:0]
	for i, o := range list {
		if i+1 == len(list) || list[i+1].name != o.name {
			kept = append(kept, o)
		}
	}
	return kept
}

// compareNumbers orders numbers without zeros in front.
func compareNumbers(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// color is three integers.
func color(value string) (string, bool) {
	parts, ok := integers(value)
	return strings.Join(parts, ","), ok && len(parts) == 3
}

// integerList is a list whose order means nothing.
func integerList(value string) (string, bool) {
	if !strings.Contains(value, ",") {
		return integer(value)
	}
	parts, ok := integers(value)
	slices.Sort(parts)
	return strings.Join(parts, ","), ok
}

func integers(list string) (parts []string, ok bool) {
	parts, ok = strings.Split(list, ","), true
	for i := range parts {
		read, isInteger := integer(parts[i])
		parts[i], ok = read, ok && isInteger
	}
	return parts, ok
}

// integer is int(text).
func integer(text string) (string, bool) {
	text = pytext.Strip(text)
	const longest = 18
	if text != "" && len(text) <= longest && strings.Trim(text, "0123456789") == "" && (text[0] != '0' || text == "0") {
		return text, true
	}
	return pytext.Int(text)
}

// option is an entry of a section as Python's configparser has it.
type option struct{ name, value string }

// ini are the options of a file by section, in their order. Those of the section DEFAULT appear in every other one.
type ini struct {
	sections map[string]*options
	defaults options
}

type options struct {
	list []option
	met  map[string]bool // their names
}

const defaultSection = "DEFAULT"

// of returns the options of a section, first its own.
func (c *ini) of(section string) []option {
	own := c.sections[section]
	if own == nil {
		return nil
	}
	all := slices.Clip(own.list)
	for _, o := range c.defaults.list {
		if !own.met[o.name] {
			all = append(all, o)
		}
	}
	return all
}

// readINI reads a file as configparser does when it is strict, does not interpolate and keeps the case of names.
func readINI(text string) (*ini, error) {
	r := iniReader{ini: ini{map[string]*options{}, options{met: map[string]bool{}}}}
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		if err := r.take(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	r.endOption()
	return &r.ini, nil
}

type iniReader struct {
	ini
	section *options        // nil before the first
	indent  int             // of the line that began the option or section
	option  bool            // there is one that may go on
	more    strings.Builder // the lines of its value after the first
}

func (r *iniReader) take(line string) error {
	content := pytext.Strip(line)
	switch {
	case content == "":
		r.more.WriteByte('\n')
		return nil
	case content[0] == '#' || content[0] == ';':
		return nil
	}
	indent := utf8.RuneCountInString(line[:len(line)-len(pytext.StripLeft(line))])
	if r.option && indent > r.indent {
		r.more.WriteString("\n" + content)
		return nil
	}
	r.endOption()
	r.indent = indent
	if end := strings.LastIndexByte(content, ']'); content[0] == '[' && end > 1 {
		return r.begin(content[1:end])
	}
	return r.add(content)
}

func (r *iniReader) begin(name string) error {
	if name == defaultSection {
		r.section = &r.defaults
		return nil
	}
	if r.sections[name] != nil {
		return fmt.Errorf("the section [%.40s] occurs twice", name)
	}
	r.section = &options{met: map[string]bool{}}
	r.sections[name] = r.section
	return nil
}

func (r *iniReader) add(content string) error {
	if r.section == nil {
		return errors.New("text before the first section")
	}
	at := strings.IndexAny(content, "=:")
	if at < 0 {
		return errors.New("neither a section nor an entry")
	}
	name := pytext.StripRight(content[:at])
	if r.section.met[name] {
		return fmt.Errorf("%.40q occurs twice in its section", name)
	}
	r.section.met[name], r.option = true, true
	r.section.list = plain.Append(r.section.list, option{name, pytext.StripLeft(content[at+1:])})
	return nil
}

// endOption joins the lines of a value. Blank ones at its end are none of it.
func (r *iniReader) endOption() {
	if r.option && r.more.Len() > 0 {
		last := &r.section.list[len(r.section.list)-1]
		last.value = pytext.StripRight(last.value + r.more.String())
	}
	r.option = false
	r.more.Reset()
}

// Stats counts the parts of a document.
func Stats(d Draft) domains.Stats {
	if d.files == 0 {
		return domains.StatsOf(d.threads())
	}
	return domains.StatsOf(d.threads(), "Shafts", cmp.Or(d.settings["WEAVING Shafts"], "0"),
		"Treadles", cmp.Or(d.settings["WEAVING Treadles"], "0"), "Warp Threads", len(d.threading),
		"Weft Rows", len(d.treadling), "Colors", len(d.colors))
}

func (d *Draft) threads() int { return len(d.threading) + len(d.treadling) }

// Score is 0.3 threading + 0.3 treadling + 0.2 tie-up + 0.1 colours + 0.1 settings.
func Score(reference, candidate Draft) domains.Reading {
	threading := shareOfEqual(reference.threading, candidate.threading)
	treadling := shareOfEqual(reference.treadling, candidate.treadling)
	tieup := shareOfEqual(reference.tieup, candidate.tieup)
	colors := mean(reference.colors, candidate.colors, colorSimilarity)
	parameters := settingSimilarity(&reference, &candidate)
	reading := domains.Reading{
		// The conversions keep products and sums from being fused on some machines.
		RS: float64(0.3*threading) + float64(0.3*treadling) + float64(0.2*tieup) +
			float64(0.1*colors) + float64(0.1*parameters),
		Components: map[string]float64{
			"threading": threading, "treadling": treadling, "tieup": tieup, "colors": colors, "parameters": parameters,
		},
		Elements: domains.Elements{Reference: reference.threads(), Candidate: candidate.threads()},
	}
	if reading.Elements.Candidate == 0 && len(candidate.faults) > 0 {
		reading.Problem = errors.Join(candidate.faults...).Error()
	}
	return reading
}

// shareOfEqual is the share of equal entries in the union of two lists.
func shareOfEqual(ref, got []option) float64 {
	return mean(ref, got, func(was, is string) float64 { return sets.OneIf(was == is) })
}

// mean is that of the similarity over the union of two lists. An entry that stands in one only has none.
func mean(ref, got []option, similarity func(was, is string) float64) float64 {
	if len(ref) == 0 && len(got) == 0 {
		return 1
	}
	sum, union := 0.0, 0
	for i, j := 0, 0; i < len(ref) || j < len(got); union++ {
		switch {
		case j == len(got):
			i++
		case i == len(ref):
			j++
		default:
			order := compareNumbers(ref[i].name, got[j].name)
			if order == 0 {
				sum += similarity(ref[i].value, got[j].value)
			}
			if order <= 0 {
				i++
			}
			if order >= 0 {
				j++
			}
		}
	}
	return sum / float64(union)
}

// colorSimilarity is how near two colours are, by their distance in a cube of
// side 999, for any range that the palette declares.
func colorSimilarity(was, is string) float64 {
	if was == is {
		return 1
	}
	a, b := strings.Split(was, ","), strings.Split(is, ",")
	squares := 0.0
	for i := range a {
		x, _ := strconv.ParseFloat(a[i], 64) // infinite where it is too large
		y, _ := strconv.ParseFloat(b[i], 64)
		if a[i] != b[i] {
			squares += float64((x - y) * (x - y))
		}
	}
	return sets.Positive(1 - math.Sqrt(squares)/(999*math.Sqrt(3)))
}

// settingSimilarity is the share of equal settings, less where threads are missing.
func settingSimilarity(ref, got *Draft) float64 {
	equal, all := 0, len(got.settings)
	for key, was := range ref.settings {
		is, both := got.settings[key]
		switch {
		case !both:
			all++
		case was == is:
			equal++
		}
	}
	if all == 0 {
		return 1
	}
	var kept sets.Mean // of threads and of picks
	for _, n := range [][2]int{{len(ref.threading), len(got.threading)}, {len(ref.treadling), len(got.treadling)}} {
		if n[0] > 0 {
			kept.Add(min(float64(n[1])/float64(n[0]), 1))
		}
	}
	return float64(equal) / float64(all) * (kept.Or(1) * kept.Or(1))
}
