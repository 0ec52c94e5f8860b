package circuit

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	published "agentd/domains/published/circuit"
)

// device is what SPICE takes an element's first letter for.
type device struct {
	name      string
	terminals []string // by name, where they have one
	least     int      // words after the element's name, without parameters
	most      int
}

// anyNumber is more words than a line can have.
const anyNumber = 1 << 30

var devices = map[byte]device{
	'a': {"code model", nil, 2, anyNumber},
	'b': {"behavioural source", pins("plus", "minus"), 2, anyNumber},
	'c': {"capacitor", pins("plus", "minus"), 2, 5},
	'd': {"diode", pins("anode", "cathode"), 3, 6},
	'e': {"voltage-controlled voltage source", pins("plus", "minus"), 3, anyNumber},
	'f': {"current-controlled current source", pins("plus", "minus"), 3, anyNumber},
	'g': {"voltage-controlled current source", pins("plus", "minus"), 3, anyNumber},
	'h': {"current-controlled voltage source", pins("plus", "minus"), 3, anyNumber},
	'i': {"current source", pins("plus", "minus"), 2, anyNumber},
	'j': {"JFET", pins("drain", "gate", "source"), 4, 7},
	'k': {"coupling", nil, 3, anyNumber},
	'l': {"inductor", pins("plus", "minus"), 2, 5},
	'm': {"MOSFET", pins("drain", "gate", "source", "bulk"), 4, 9},
	'n': {"compact device", nil, 3, anyNumber},
	'o': {"lossy line", pins("1+", "1-", "2+", "2-"), 5, 6},
	'p': {"coupled lines", nil, 3, anyNumber},
	'q': {"transistor", pins("collector", "base", "emitter"), 4, 9},
	'r': {"resistor", pins("plus", "minus"), 2, 5},
	's': {"switch", pins("plus", "minus", "control plus", "control minus"), 5, 6},
	't': {"line", pins("1+", "1-", "2+", "2-"), 4, 6},
	'u': {"RC line", pins("1", "2", "ground"), 4, 6},
	'v': {"voltage source", pins("plus", "minus"), 2, anyNumber},
	'w': {"current switch", pins("plus", "minus"), 4, 5},
	'x': {"instance", nil, 2, anyNumber},
	'y': {"single line", nil, 3, anyNumber},
	'z': {"MESFET", pins("drain", "gate", "source"), 4, 7},
}

func pins(names ...string) []string { return names }

func (s *statement) device() device { return devices[s.word[0]] }

// isElement tells element lines from prose, of which any line begins with a letter.
func isElement(words []word) bool {
	name := words[0].text
	if len(name) < 2 || !isElementName(name) {
		return false
	}
	letter := name[0] | 0x20
	d := devices[letter]
	place := positional(words)
	count := place - 1
	if count < d.least || count > d.most {
		return false
	}
	at := func(n int) string { return strings.ToLower(words[n].text) }
	last := at(place - 1)
	assigned := place < len(words)
	switch letter {
	case 'r', 'c', 'l':
		return assigned || count == 3 && isElementName(at(3)) || count > 2 && isQuantity(at(3))
	case 'v', 'i':
		return count == 2 || count == 3 && isElementName(at(3)) || isQuantity(at(3)) || slices.Contains(sourceWords, at(3))
	case 'b', 't':
		return assigned
	case 'e', 'g':
		return assigned || isQuantity(last) || strings.ContainsAny(last, "({")
	case 'f', 'h':
		return assigned || strings.HasPrefix(at(3), "v") && isQuantity(last) || strings.HasPrefix(at(3), "poly")
	case 'w':
		return strings.HasPrefix(at(3), "v")
	case 'k':
		return isQuantity(last)
	}
	return !strings.HasSuffix(last, ".") && !strings.HasSuffix(last, ":")
}

func isElementName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.+#/$!", r)
	}) && !strings.HasSuffix(name, ".")
}

// sourceWords are the words that begin the value of a source.
var sourceWords = []string{"dc", "ac", "pulse", "sin", "sine", "exp", "pwl", "sffm", "am", "trnoise", "trrandom", "external", "distof1", "portnum"}

// isQuantity reports whether a word in lower case is a number, an expression or what may name a value or model.
func isQuantity(word string) bool {
	if _, ok := readNumber(word); ok || strings.ContainsAny(word, "{'\"(") {
		return true
	}
	if '0' <= word[0] && word[0] <= '9' || strings.HasPrefix(word, "@") {
		return true
	}
	return strings.ContainsAny(word, "_0123456789") && isElementName(word)
}

// nodeCount is how many of the words after an element's name are nodes. Where the format leaves it open, the model is
// the last word that is no number or flag.
func (s *statement) nodeCount(words []word) int {
	count := positional(words) - 1
	at := func(n int) string { return strings.ToLower(words[n].text) }
	switch s.word[0] {
	case 'x', 'n', 'p', 'y':
		if count > 1 && at(count) == "params:" {
			count--
		}
		return max(count-1, 0)
	case 'm', 'q':
		for count > 4 {
			if _, ok := readNumber(at(count)); !ok && at(count) != "off" {
				break
			}
			count--
		}
		return min(count-1, 5)
	case 'k', 'a':
		return max(count-1, 0)
	case 'e', 'g':
		if first := at(min(3, len(words)-1)); count >= 5 && isPlainNode(first) {
			return 4
		}
		return min(count, 2)
	}
	return min(count, len(s.device().terminals))
}

// isPlainNode reports whether a word is a node, not the keyword of a function.
func isPlainNode(word string) bool {
	for _, keyword := range []string{"poly", "table", "value", "laplace", "freq", "vol", "cur"} {
		if strings.HasPrefix(word, keyword) {
			return false
		}
	}
	return !strings.ContainsAny(word, "({")
}

// terminal names the n-th node, from 0.
func (d device) terminal(n int) string {
	if n < len(d.terminals) {
		return d.terminals[n]
	}
	switch d.name {
	case "transistor":
		return "substrate"
	case "coupling":
		return "inductor"
	}
	if n < 4 && strings.HasPrefix(d.name, "voltage-controlled") {
		return [...]string{2: "control plus", 3: "control minus"}[n]
	}
	return "node " + decimal(n+1)
}

// number is an exact decimal: digits times a power of ten. The digits have no
// zeros at either end; those of zero are empty.
type number struct {
	negative bool
	digits   string
	exponent int
}

// suffixes are the scale factors of SPICE, the longest first.
var suffixes = []struct {
	text     string
	exponent int
}{
	{"meg", 6},
	{"t", 12}, {"g", 9}, {"k", 3}, {"m", -3}, {"u", -6}, {"µ", -6}, {"μ", -6},
	{"n", -9}, {"p", -12}, {"f", -15}, {"a", -18},
}

// mostExponent bounds the numbers that are compared by value.
const mostExponent = 60

// readNumber reads a number in lower case, with a scale factor and a unit, which
// means nothing: 10pF is 10p, and 1F is 1f.
func readNumber(text string) (number, bool) {
	var n number
	rest := text
	if rest, n.negative = strings.CutPrefix(rest, "-"); !n.negative {
		rest = strings.TrimPrefix(rest, "+")
	}
	whole := digitsOf(rest)
	rest = rest[len(whole):]
	fraction := ""
	if strings.HasPrefix(rest, ".") {
		fraction = digitsOf(rest[1:])
		rest = rest[1+len(fraction):]
	}
	if whole == "" && fraction == "" {
		return number{}, false
	}
	n.digits = whole + fraction
	n.exponent = -len(fraction)
	if power, size, ok := readPower(rest); ok {
		n.exponent += power
		rest = rest[size:]
	}
	if strings.HasPrefix(rest, "mil") {
		// A thousandth of an inch, 25.4 micrometres.
		thousandths, err := strconv.ParseUint(n.digits, 10, 48)
		if err != nil {
			return number{}, false
		}
		n.digits = strconv.FormatUint(thousandths*254, 10)
		n.exponent -= 7
	} else {
		for _, s := range suffixes {
			if unit, scaled := strings.CutPrefix(rest, s.text); scaled {
				n.exponent += s.exponent
				rest = unit
				break
			}
		}
	}
	if strings.ContainsFunc(rest, func(r rune) bool { return !isUnitRune(r) }) {
		return number{}, false
	}
	n.tidy()
	if n.magnitude() > mostExponent || n.magnitude() < -mostExponent {
		return number{}, false
	}
	return n, true
}

func isUnitRune(r rune) bool { return 'a' <= r && r <= 'z' || r == 'ω' || r == 'Ω' || r == '%' }

func digitsOf(text string) string {
	return text[:published.LengthOf(text, func(r rune) bool { return '0' <= r && r <= '9' })]
}

// readPower reads e and a whole number.
func readPower(text string) (power, size int, ok bool) {
	if !strings.HasPrefix(text, "e") {
		return 0, 0, false
	}
	size = 1
	if len(text) > 1 && (text[1] == '+' || text[1] == '-') {
		size++
	}
	digits := digitsOf(text[size:])
	size += len(digits)
	power, err := strconv.Atoi(text[1:size])
	const most = 1000
	return power, size, err == nil && -most < power && power < most
}

// tidy takes the zeros at both ends away.
func (n *number) tidy() {
	n.digits = strings.TrimLeft(n.digits, "0")
	kept := strings.TrimRight(n.digits, "0")
	n.exponent += len(n.digits) - len(kept)
	n.digits = kept
	if kept == "" {
		*n = number{}
	}
}

// magnitude is the power of ten of the first digit.
func (n *number) magnitude() int {
	if n.digits == "" {
		return 0
	}
	return n.exponent + len(n.digits) - 1
}

// engineering writes the number with one to three digits before the point and a scale factor.
func (n *number) engineering() string {
	const least, most = -18, 12
	power := n.magnitude()
	power = min(max(power-(power%3+3)%3, least), most)
	for _, s := range suffixes {
		if s.exponent == power {
			return n.plain(power) + s.text
		}
	}
	return n.plain(power)
}

// plain writes the number in units of a power of ten.
func (n *number) plain(power int) string {
	if n.digits == "" {
		return "0"
	}
	digits, shift := n.digits, n.exponent-power
	switch {
	case shift >= 0:
		digits += strings.Repeat("0", shift)
	case -shift >= len(digits):
		digits = "0." + strings.Repeat("0", -shift-len(digits)) + digits
	default:
		digits = digits[:len(digits)+shift] + "." + digits[len(digits)+shift:]
	}
	if n.negative {
		return "-" + digits
	}
	return digits
}

// normal is a word in one spelling: numbers by value, expressions in braces and
// without blanks, all in lower case but what is in double quotes.
func normal(word string) string {
	if len(word) > 1 && word[0] == '"' {
		return word
	}
	lower := strings.ToLower(word)
	if n, ok := readNumber(lower); ok {
		return n.engineering()
	}
	if len(lower) > 1 && (lower[0] == '{' && lower[len(lower)-1] == '}' || lower[0] == '\'' && lower[len(lower)-1] == '\'') {
		inner := strings.Join(strings.Fields(lower[1:len(lower)-1]), "")
		if n, ok := readNumber(inner); ok {
			return n.engineering()
		}
		return "{" + inner + "}"
	}
	return lower
}
