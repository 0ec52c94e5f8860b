package weaving

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// draft is a document as the published evaluator reads it. Integers are kept as
// text, without a plus sign or zeros in front; lists are sorted and joined by
// commas.
type draft struct {
	files                       int
	settings                    map[string]string // "WARP Units" -> "inches"
	threading, treadling, tieup map[string]string // by number of thread, pick and treadle
	colors                      map[string][3]string
	faults                      []error // of files, or of the settings where reading stopped
}

// parse reads a document as the published evaluator does: each file for itself,
// then all merged entry by entry. A file that it cannot read is empty.
func parse(files vfs.Files) (draft, error) {
	d := draft{
		settings:  map[string]string{},
		threading: map[string]string{}, treadling: map[string]string{}, tieup: map[string]string{},
		colors: map[string][3]string{},
	}
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
	return d, nil
}

// interpret adds a file to the draft. It stops at the first number among the
// settings that is none.
func (d *draft) interpret(c *ini) error {
	for _, section := range []string{"WEAVING", "WARP", "WEFT"} {
		read := d.settings
		if section == "WEAVING" {
			read = map[string]string{} // nothing stays of it if a number is none
		}
		for _, o := range c.of(section) {
			convert := settingOf[section][o.name]
			if convert == nil {
				continue
			}
			value, ok := convert(o.value)
			if !ok {
				return fmt.Errorf("%s of [%s] cannot be %q", o.name, section, o.value)
			}
			read[section+" "+o.name] = value
		}
		maps.Copy(d.settings, read)
	}
	numbered(c.of("THREADING"), d.threading)
	numbered(c.of("TREADLING"), d.treadling)
	numbered(c.of("TIEUP"), d.tieup)
	for _, o := range c.of("COLOR TABLE") {
		number, ok := integer(o.name)
		parts := strings.Split(o.value, ",")
		if !ok || len(parts) != 3 {
			continue
		}
		var color [3]string
		for i := range parts {
			var isNumber bool
			color[i], isNumber = integer(parts[i])
			ok = ok && isNumber
		}
		if ok {
			d.colors[number] = color
		}
	}
	return nil
}

// settingOf are the settings that are compared, with what makes their values
// comparable.
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

// notANumber is the value that is not even equal to itself.
const notANumber = "nan"

func decimal(value string) (string, bool) {
	f, ok := pytext.Float(value)
	switch {
	case math.IsNaN(f):
		return notANumber, ok
	case f == 0:
		f = 0 // and not minus zero
	}
	return fmt.Sprint(f), ok
}

// numbered adds the readable entries of a section to a table.
func numbered(entries []option, table map[string]string) {
	for _, o := range entries {
		number, ok := integer(o.name)
		if !ok {
			continue
		}
		if value, ok := integers(o.value); ok {
			table[number] = value
		}
	}
}

func integers(list string) (string, bool) {
	if !strings.Contains(list, ",") {
		return integer(list)
	}
	parts := strings.Split(list, ",")
	for i := range parts {
		var ok bool
		if parts[i], ok = integer(parts[i]); !ok {
			return "", false
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ","), true
}

// integer is int(text).
func integer(text string) (string, bool) {
	text = pytext.Strip(text)
	if isPlain(text) {
		return text, true
	}
	sign := ""
	if text != "" && (text[0] == '-' || text[0] == '+') {
		sign, text = strings.Trim(text[:1], "+"), text[1:]
	}
	var digits strings.Builder
	between := false // the last character was a digit, so that _ may follow
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits.WriteByte(byte('0' + pytext.DigitValue(r)))
			between = true
		case r == '_' && between:
			between = false
		default:
			return "", false
		}
	}
	const most = 4300 // digits, beyond which int() refuses
	if !between || digits.Len() > most {
		return "", false
	}
	value := strings.TrimLeft(digits.String(), "0")
	if value == "" {
		return "0", true
	}
	return sign + value, true
}

// isPlain reports whether a text is a short integer in its usual form.
func isPlain(text string) bool {
	const longest = 18
	if text == "" || len(text) > longest || text[0] == '0' && len(text) > 1 {
		return false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// union are the numbers that either table has, in order.
func union[V any](a, b map[string]V) []string {
	all := slices.AppendSeq(make([]string, 0, len(a)), maps.Keys(a))
	for number := range b {
		if _, both := a[number]; !both {
			all = append(all, number)
		}
	}
	slices.Sort(all)
	return all
}
