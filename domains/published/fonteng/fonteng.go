// Package fonteng is the published reading and score of the domain fonteng.
//
// Normalise a block text before comparing: cut every line at the first # (also inside strings), strip trailing blanks,
// drop blank lines, join with \n. Similarity of two texts: 1 if equal, else SequenceMatcher(ref, cand).ratio() on
// characters, autojunk on (texts of 200+ characters: a character of the candidate text that occurs more than len/100 +
// 1 times seeds no match, though matches still extend over it). Argument order matters.
//
// For K in {classes, features, tables}: coverage = |names in both| / |names in ref|; accuracy = mean similarity over
// shared names; no shared name → 0. Reference empty → (1, 1) whatever the candidate has; candidate empty → (0, 0).
// K_score = coverage² × accuracy. Language systems: Jaccard j of the sets of pairs (both empty 1, one empty 0); langsys
// = j².
//
// Weights: n_K = max(1, number in reference) for each of the four; w_K = n_K / Σ n. score = Σ w_K · K_score, rounded to
// 10 decimals. A component absent from the reference thus gives away 1/Σn for free. A
// parse error of either side → score 0.
package fonteng

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"agentd/internal/lazyregexp"
)

// NameRecord is a name and the platform, encoding and language it is for.
type NameRecord struct {
	PlatformID, Encoding, language int64
	text                           string
}

// Platforms and languages of names.
const (
	Macintosh      = 1
	Windows        = 3
	windowsEnglish = 0x409
)

// platform is the platform as printed, with a blank after it.
func (n *NameRecord) platform() string {
	switch {
	case n.PlatformID == Windows && n.Encoding == 1 && n.language == windowsEnglish:
		return ""
	case n.PlatformID == Macintosh && n.Encoding == 0 && n.language == 0:
		return "1 "
	}
	return fmt.Sprintf("%d %d %d ", n.PlatformID, n.Encoding, n.language)
}

// name reads a name record after its keyword, with or without the semicolon.
func (p *parser) name(ended bool) *NameRecord {
	n := &NameRecord{PlatformID: Windows}
	if p.following.isAnyNumber() {
		n.PlatformID = p.expectAnyNumber().value
		p.allow(n.PlatformID == Macintosh || n.PlatformID == Windows, "expected platform 1 or 3")
	}
	line := p.current.line
	if p.following.isAnyNumber() {
		n.Encoding, n.language = p.expectAnyNumber().value, p.expectAnyNumber().value
	}
	if n.PlatformID == Windows {
		n.Encoding, n.language = cmp.Or(n.Encoding, 1), cmp.Or(n.language, windowsEnglish)
	}
	text := p.expect("a string", stringToken).text
	if ended {
		p.want(";")
	}
	allowAt(line, n.isKnown(), "an encoding that is not known")
	n.text = n.Unescaped(text)
	return n
}

// statement is the canonical text of a name after its keyword.
func (n *NameRecord) statement(keyword string) string {
	return keyword + " " + n.platform() + `"` + n.text + `";`
}

// isKnown holds for the encodings of the two platforms.
func (n *NameRecord) isKnown() bool {
	if n.PlatformID == Windows {
		return 0 <= n.Encoding && n.Encoding <= 6 || n.Encoding == 10
	}
	return slices.Contains([]int64{0, 1, 2, 3, 6, 7, 25, 29, 35, 37}, n.Encoding)
}

// isWide holds for names in UTF-16.
func (n *NameRecord) isWide() bool {
	return n.PlatformID == Windows && (n.Encoding <= 1 || n.Encoding == 10)
}

// Runs of the codes of characters, four digits each, or two where a character is a byte.
var (
	wideCodes = lazyregexp.New(`(?:\\[0-9a-fA-F]{4})+`)
	byteCodes = lazyregexp.New(`(?:\\[0-9a-fA-F]{2})+`)
)

// Unescaped resolves the escapes of a name, which depend on its platform.
func (n *NameRecord) Unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	if !n.isWide() {
		return byteCodes.ReplaceAllStringFunc(text, func(codes string) string {
			decoded := ""
			for code := range strings.SplitSeq(codes[1:], `\`) {
				b, _ := strconv.ParseUint(code, 16, 8)
				decoded += string(charmap.Macintosh.DecodeByte(byte(b)))
			}
			return decoded
		})
	}
	return wideCodes.ReplaceAllStringFunc(text, func(codes string) string {
		var units []uint16
		for code := range strings.SplitSeq(codes[1:], `\`) {
			unit, _ := strconv.ParseUint(code, 16, 16)
			units = append(units, uint16(unit))
		}
		return string(utf16.Decode(units))
	})
}

// escaped is the text with codes for all but plain characters.
func (n *NameRecord) escaped() string {
	var b strings.Builder
	write := func(code uint16, format string) {
		if code >= ' ' && code <= '~' && code != '"' && code != '\\' {
			b.WriteByte(byte(code))
		} else {
			fmt.Fprintf(&b, format, code)
		}
	}
	if n.isWide() {
		for _, unit := range utf16.Encode([]rune(n.text)) {
			write(unit, `\%04x`)
		}
		return b.String()
	}
	for _, r := range n.text {
		code, ok := charmap.Macintosh.EncodeRune(r)
		if !ok {
			return unprintable + "a name with a character that its encoding has not"
		}
		write(uint16(code), `\%02x`)
	}
	return b.String()
}

// IsVertical reports whether a feature is one of vertical text.
func IsVertical(tag string) bool {
	return tag == "vkrn" || tag == "vpal" || tag == "vhal" || tag == "valt"
}

// topLevel reads a statement that is in no block.
func (p *parser) topLevel() {
	if p.definition() {
		return
	}
	p.allow(p.current.kind == nameToken, "expected a statement")
	switch p.current.text {
	case "anon", "anonymous":
		p.anonymous()
	case "languagesystem":
		s := system{p.expectScript(), p.expectLanguage()}
		p.want(";")
		p.model.systems = append(p.model.systems, s)
	case "feature", "variation":
		p.feature()
	case "conditionset":
		p.conditions()
	case "table":
		p.table()
	default:
		p.fail("expected a statement, got " + p.current.text)
	}
}

// definition reads what may stand in blocks and outside of them; false if it is something else.
func (p *parser) definition() bool {
	switch {
	case p.current.kind == classToken:
		p.defineClass()
	case p.isKeyword("anchorDef"):
		p.defineAnchor()
	case p.isKeyword("lookup"):
		p.lookup()
	case p.isKeyword("markClass"):
		p.defineMarks()
	case p.isKeyword("valueRecordDef"):
		p.defineValue()
	default:
		return false
	}
	return true
}

// anonymous passes over a block of another format.
func (p *parser) anonymous() {
	tag := p.expectTag()
	p.skipAnonymous(strings.TrimRight(tag, " "))
	p.advance()
	p.want("}")
	if p.expectTag() != tag {
		panic(errors.New("an anonymous block without its tag"))
	}
	p.want(";")
}

// lookup reads the head of a lookup, or a reference to one.
func (p *parser) lookup() {
	name := p.expectName()
	if p.accept(";") {
		p.allow(p.lookups[name], "unknown lookup "+name)
		p.add("lookup " + name + ";")
		return
	}
	p.open(&block{
		keyword: "lookup", name: name, header: "lookup " + name + p.extension(),
		vertical: p.block.vertical, statement: (*parser).rule,
	})
}

func (p *parser) extension() string {
	if p.accept("useExtension") {
		return " useExtension"
	}
	return ""
}

// feature reads the head of a feature, or of its variation.
func (p *parser) feature() {
	keyword := p.current.text
	tag := p.expectTag()
	if keyword == "variation" {
		p.expectName()
	}
	name := strings.TrimRight(tag, " ")
	p.open(&block{
		keyword: keyword, name: name, header: "feature " + name + p.extension(), tag: tag,
		vertical: IsVertical(name), statement: (*parser).rule,
	})
}

// rule reads a statement of a feature or lookup.
func (p *parser) rule() {
	if p.definition() {
		return
	}
	p.allow(p.current.kind == nameToken, "expected a rule")
	switch p.current.text {
	case "enum", "enumerate":
		p.advance()
		if p.current.text != "pos" && p.current.text != "position" {
			panic(errors.New("enum without pos"))
		}
		p.position(true)
	case "feature":
		tag := p.expectTag()
		p.want(";")
		p.add("feature " + tag + ";")
	case "ignore":
		p.ignore()
	case "language":
		p.language()
	case "lookupflag":
		p.lookupFlag()
	case "pos", "position":
		p.position(false)
	case "script":
		tag := p.expectScript()
		p.want(";")
		p.add("script " + strings.TrimRight(tag, " ") + ";")
	case "sub", "substitute", "rsub", "reversesub":
		p.substitution()
	case "subtable":
		p.want(";")
		p.add("subtable;")
	default:
		p.featureOnly()
	}
}

// featureOnly reads a statement that only certain features have.
func (p *parser) featureOnly() {
	tag := p.block.tag
	switch word := p.current.text; {
	case word == "featureNames" && isNumbered(tag, "ss", 20):
		p.open(&block{keyword: "names", header: word, statement: (*parser).featureName})
	case word == "cvParameters" && isNumbered(tag, "cv", 99):
		p.open(&block{keyword: "names", header: word, statement: (*parser).parameter})
	case word == "parameters" && tag == "size":
		p.sizes()
	case word == "sizemenuname" && tag == "size":
		p.add(p.name(true).statement(word))
	default:
		p.fail("expected a rule, got " + word)
	}
}

// isNumbered holds for a tag such as ss01, from 1 to most.
func isNumbered(tag, prefix string, most int) bool {
	number, is := strings.CutPrefix(tag, prefix)
	n, err := strconv.Atoi(number)
	return is && err == nil && len(number) == 2 && 1 <= n && n <= most && IsDigit[number[0]]
}

func (p *parser) featureName() {
	p.allow(p.isKeyword("name"), "expected a name")
	p.add(p.name(true).statement("name"))
}

// parameter reads a statement of cvParameters.
func (p *parser) parameter() {
	p.allow(p.current.kind == nameToken, "expected a parameter")
	switch word := p.current.text; word {
	case "FeatUILabelNameID", "FeatUITooltipTextNameID", "SampleTextNameID", "ParamUILabelNameID":
		p.open(&block{keyword: "names", header: word, statement: (*parser).featureName})
	case "Character":
		line := p.current.line
		value := p.expectAnyNumber().value
		p.want(";")
		allowAt(line, 0 <= value && value <= 0xFFFFFF, "no character")
		p.add("Character 0x" + strconv.FormatInt(value, 16) + ";")
	default:
		p.fail("expected a parameter, got " + word)
	}
}

// sizes reads the parameters of a size feature: a design size in points, a
// number and a range, where whole numbers are tenths of points.
func (p *parser) sizes() {
	size := p.points()
	family := p.expectNumber()
	low, high := 0.0, 0.0
	if p.following.kind == numberToken || p.following.kind == floatToken || family.value != 0 {
		low, high = p.points(), p.points()
	}
	p.want(";")
	text := "parameters " + strconv.FormatFloat(size, 'f', 1, 64) + " " + family.number()
	if low != 0 || high != 0 {
		text += " " + strconv.Itoa(int(low*10)) + " " + strconv.Itoa(int(high*10))
	}
	p.add(text + ";")
}

func (p *parser) points() float64 {
	t := p.expect("a size", floatToken, numberToken)
	if t.kind == floatToken {
		return t.float
	}
	return float64(t.value) / 10
}

func (p *parser) language() {
	text := "language " + strings.TrimRight(p.expectLanguage(), " ")
	if p.accept("exclude_dflt") {
		text += " exclude_dflt"
	} else {
		p.accept("include_dflt")
	}
	if p.accept("required") {
		text += " required"
	}
	p.want(";")
	p.add(text + ";")
}

// LookupFlags and styleFlags are in the order of their bits.
var (
	LookupFlags = []string{"RightToLeft", "IgnoreBaseGlyphs", "IgnoreLigatures", "IgnoreMarks"}
	styleFlags  = []string{"OlderSiblingFontAttribute", "ElidableAxisValueName"}
)

// FlagWords are the names of the bits that are set.
func FlagWords(names []string, bits int64) (words []string) {
	for i, name := range names {
		if bits>>i&1 == 1 {
			words = append(words, name)
		}
	}
	return words
}

func (p *parser) lookupFlag() {
	var words []string
	if p.following.kind == numberToken {
		words = FlagWords(LookupFlags, p.expectNumber().value)
	} else {
		words = p.namedFlags()
	}
	p.want(";")
	if words == nil {
		words = []string{"0"}
	}
	p.add("lookupflag " + strings.Join(words, " ") + ";")
}

func (p *parser) namedFlags() []string {
	var bits int64
	seen := map[string]bool{}
	classes := map[string]string{}
	for p.following.text != ";" {
		word := p.following.text
		allowAt(p.following.line, !seen[word], word+" twice")
		seen[word] = true
		bit := slices.Index(LookupFlags, word)
		switch {
		case word == "MarkAttachmentType" || word == "UseMarkFilteringSet":
			p.want(word)
			classes[word] = " " + word + " " + p.class().text
		case bit >= 0:
			p.want(word)
			bits |= 1 << bit
		default:
			panic(syntaxError{p.following.line, "no flag: " + word})
		}
	}
	if len(seen) == 0 {
		// The published parser takes the semicolon before it complains, and names the line of what comes next.
		p.want(";")
		panic(syntaxError{p.following.line, "lookupflag without a value"})
	}
	marks := strings.Fields(classes["MarkAttachmentType"] + classes["UseMarkFilteringSet"])
	return append(FlagWords(LookupFlags, bits), marks...)
}

// conditions reads a conditionset, which is not kept.
func (p *parser) conditions() {
	name := p.expectName()
	p.want("{")
	for p.following.text != "}" {
		p.expect("an axis", nameToken)
		for range 2 {
			p.expect("a limit", floatToken, numberToken)
		}
		p.want(";")
	}
	p.want("}")
	p.want(name)
}
