package json

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
	"agentd/internal/yamlsafe"
	"agentd/vfs"
)

// The plain scalars of YAML 1.1 that are no text.
var (
	yamlFloat = lazyregexp.New(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?` +
		`|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?` +
		`|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*` +
		`|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	yamlInteger = lazyregexp.New(`^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)` +
		`|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)
	yamlTime = lazyregexp.New(`^([0-9]{4})-([0-9][0-9]?)-([0-9][0-9]?)` +
		`(?:(?:[Tt]|[ \t]+)([0-9][0-9]?):([0-9][0-9]):([0-9][0-9])(?:\.([0-9]*))?` +
		`(?:[ \t]*(Z|([-+])([0-9][0-9]?)(?::([0-9][0-9]))?))?)?$`)
	yamlDate = lazyregexp.New(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

type scalarText struct {
	kind Kind
	text string
}

var yamlWords = map[string]scalarText{
	"": {Null, "null"}, "~": {Null, "null"}, "null": {Null, "null"}, "Null": {Null, "null"}, "NULL": {Null, "null"},
	"yes": {Bool, "true"}, "Yes": {Bool, "true"}, "YES": {Bool, "true"},
	"no": {Bool, "false"}, "No": {Bool, "false"}, "NO": {Bool, "false"},
	"true": {Bool, "true"}, "True": {Bool, "true"}, "TRUE": {Bool, "true"},
	"false": {Bool, "false"}, "False": {Bool, "false"}, "FALSE": {Bool, "false"},
	"on": {Bool, "true"}, "On": {Bool, "true"}, "ON": {Bool, "true"},
	"off": {Bool, "false"}, "Off": {Bool, "false"}, "OFF": {Bool, "false"},
	"<<": {Merge, ""},
	"=":  {Invalid, "the published program does not read = as a value"},
}

// PlainScalar returns the kind of a plain scalar and its text: of a number as JSON writes it.
func PlainScalar(plain string) (Kind, string) {
	if word, ok := yamlWords[plain]; ok {
		return word.kind, word.text
	}
	if strings.IndexByte("-+0123456789.", plain[0]) < 0 {
		return Text, plain
	}
	switch {
	case yamlFloat.MatchString(plain):
		return tagged("!!float", plain)
	case yamlInteger.MatchString(plain):
		return tagged("!!int", plain)
	case yamlDate.MatchString(plain) || strings.Contains(plain, ":") && yamlTime.MatchString(plain):
		return tagged("!!timestamp", plain)
	}
	return Text, plain
}

// tagged returns the kind of a scalar with a tag and its text.
func tagged(tag, text string) (Kind, string) {
	t, known := tags[tag]
	if !known {
		return Invalid, "the tag " + tag + " of " + strconv.Quote(text) + " is unknown"
	}
	if read, ok := t.read(text); ok {
		return t.kind, read
	}
	return Invalid, strconv.Quote(text) + " is no " + strings.TrimPrefix(tag, "!!")
}

// tags are what scalars of a tag are, and how they are read.
var tags = map[string]struct {
	kind Kind
	read func(text string) (string, bool)
}{
	"!!str":  {Text, func(text string) (string, bool) { return text, true }},
	"!!null": {Null, func(string) (string, bool) { return "null", true }},
	"!!bool": {Bool, func(text string) (string, bool) {
		word := yamlWords[strings.ToLower(text)]
		return word.text, word.kind == Bool
	}},
	"!!int": {Number, integerOf}, "!!float": {Number, floatOf},
	"!!timestamp": {Typed, timeOf},
}

// unsigned drops underscores and the sign.
func unsigned(number string) (digits string, negative bool) {
	number = strings.ReplaceAll(number, "_", "")
	digits, negative = strings.CutPrefix(number, "-")
	return strings.TrimPrefix(digits, "+"), negative
}

// integerOf reads an integer of YAML 1.1: binary, octal, decimal, hexadecimal or to the base 60.
func integerOf(text string) (string, bool) {
	digits, negative := unsigned(text)
	if digits == "" || len(digits) > pytext.MostDigits {
		return "", false
	}
	base := 10
	switch {
	case digits == "0":
		return "0", true
	case strings.HasPrefix(digits, "0b"):
		digits, base = digits[2:], 2
	case strings.HasPrefix(digits, "0x"):
		digits, base = digits[2:], 16
	case digits[0] == '0':
		base = 8
	}
	sum := new(big.Int)
	for part := range strings.SplitSeq(digits, ":") {
		value, ok := new(big.Int).SetString(part, base)
		if !ok || part[0] == '-' || part[0] == '+' {
			return "", false
		}
		sum.Add(sum.Mul(sum, big.NewInt(60)), value)
	}
	if negative {
		sum.Neg(sum)
	}
	return sum.String(), true
}

// floatOf reads a float of YAML 1.1. The digits stay as they are.
func floatOf(text string) (string, bool) {
	digits, negative := unsigned(strings.ToLower(text))
	sign := ""
	if negative {
		sign = "-"
	}
	switch {
	case digits == ".inf":
		return sign + "Infinity", true
	case digits == ".nan":
		return "NaN", true
	case strings.Contains(digits, ":"):
		sum := 0.0
		for part := range strings.SplitSeq(digits, ":") {
			value, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return "", false
			}
			sum = float64(sum*60) + value
		}
		digits = strconv.FormatFloat(sum, 'f', -1, 64)
	}
	if _, ok := jsontext.ReadDecimal(digits); !ok {
		return "", false
	}
	if !isFloat(digits) {
		digits += ".0"
	}
	return sign + digits, true
}

// timeOf reads a date or a time. A time with a zone is given in UTC, as equal instants are equal.
func timeOf(text string) (string, bool) {
	m := yamlTime.FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	number := func(group int) int { n, _ := strconv.Atoi(m[group]); return n }
	year, month, day := number(1), time.Month(number(2)), number(3)
	hour, minute, second := number(4), number(5), number(6)
	fraction, _ := strconv.Atoi((m[7] + "000000")[:6])
	t := time.Date(year, month, day, hour, minute, second, fraction*1000, time.UTC)
	if year < 1 || t.Month() != month || t.Day() != day || hour > 23 || minute > 59 || second > 59 {
		return "", false
	}
	const date, clock = "2006-01-02", "2006-01-02 15:04:05.999999"
	switch {
	case m[4] == "":
		return t.Format(date), true
	case m[8] == "":
		return t.Format(clock), true
	}
	offset := time.Duration(number(10))*time.Hour + time.Duration(number(11))*time.Minute
	if offset >= 24*time.Hour {
		return "", false
	}
	if m[9] == "-" {
		offset = -offset
	}
	return t.Add(-offset).Format(clock) + "Z", true
}

// YAML is one document of a YAML stream.
type YAML struct {
	Root           *Node
	Comments       []string // their lines, without # and the blanks around
	repeatedAnchor string   // an anchor that stands twice, empty if none does
}

// yamlLimits hold for a document, which may be anything that a workspace takes. Half a
// million values have about 100 MB.
var yamlLimits = yamlsafe.Limits{Bytes: vfs.MaxFileBytes, Values: 1 << 19}

// DecodeYAML reads the documents of a YAML stream. Scalars are resolved by the rules of YAML 1.1.
func DecodeYAML(text string) (documents []YAML, err error) {
	read, err := yamlLimits.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	for _, y := range read {
		c := conversion{anchors: map[*yaml.Node]*Anchor{}, names: map[string]bool{}}
		c.Root = c.node(y)
		documents = plain.Append(documents, c.YAML)
	}
	return documents, nil
}

// conversion makes our nodes of those of the library.
type conversion struct {
	YAML
	anchors map[*yaml.Node]*Anchor
	names   map[string]bool // of the anchors
}

func (c *conversion) node(y *yaml.Node) *Node {
	c.comment(y.HeadComment)
	defer c.comment(y.FootComment)
	c.comment(y.LineComment)
	if y.Kind == yaml.DocumentNode {
		return c.node(y.Content[0])
	}
	n := &Node{}
	if y.Anchor != "" {
		n.Anchor = &Anchor{y.Anchor, n}
		c.anchors[y] = n.Anchor
		if c.names[y.Anchor] {
			c.repeatedAnchor = y.Anchor
		}
		c.names[y.Anchor] = true
	}
	switch y.Kind {
	case yaml.AliasNode:
		n.Kind, n.Text, n.Anchor = Alias, y.Value, c.anchors[y.Alias]
	case yaml.ScalarNode:
		n.Kind, n.Text = scalar(y)
	case yaml.SequenceNode:
		n.Kind, n.Text = List, strangeTag(y, "!!seq")
		for _, item := range y.Content {
			n.Items = plain.Append(n.Items, c.node(item))
		}
	case yaml.MappingNode:
		n.Kind, n.Text = Object, strangeTag(y, "!!map")
		for i := 0; i+1 < len(y.Content); i += 2 {
			n.Members = plain.Append(n.Members, c.member(y.Content[i], y.Content[i+1]))
		}
	}
	return n
}

func (c *conversion) member(name, value *yaml.Node) Member {
	key := c.node(name)
	if key.Kind == Text && key.Anchor == nil {
		return Member{Name: key.Text, Value: c.node(value)}
	}
	return Member{Key: key, Value: c.node(value)}
}

func (c *conversion) comment(text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		c.Comments = AddComment(c.Comments, line)
	}
}

// strangeTag is what is wrong with the tag of a list or an object, empty if nothing is.
func strangeTag(y *yaml.Node, usual string) string {
	if tag, given := givenTag(y); given && tag != usual {
		return "the tag " + tag + " is unknown"
	}
	return ""
}

// givenTag returns the tag that the text gives a value.
func givenTag(y *yaml.Node) (string, bool) {
	return y.ShortTag(), y.Style&yaml.TaggedStyle != 0
}

const quotedStyles = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// scalar returns the kind of a scalar and its text.
func scalar(y *yaml.Node) (Kind, string) {
	tag, given := givenTag(y)
	switch {
	case y.Style&quotedStyles != 0 && !given:
		return Text, withoutMarks(y.Value)
	case y.Style&quotedStyles == 0 && strings.Contains(y.Value, tabMark):
		return Invalid, "a tab outside of quotes"
	case given:
		return tagged(tag, withoutMarks(y.Value))
	}
	return PlainScalar(y.Value)
}

// AddComment appends the text of a line that is a comment, unless it is blank.
func AddComment(comments []string, line string) []string {
	if line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#")); line == "" {
		return comments
	}
	return plain.Append(comments, line)
}
