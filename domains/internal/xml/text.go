package xml

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/internal/lazyregexp"
)

var declaration = lazyregexp.New(
	`^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"([\w.-]*)"|'([\w.-]*)')` +
		`(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([A-Za-z][\w.-]*)"|'([A-Za-z][\w.-]*)'))?` +
		`(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>`)

// readDeclaration returns where the document goes on after a byte order mark and an XML declaration. A declaration
// after blank lines is not well-formed, but does no harm.
func (r *reader) readDeclaration() int {
	text := strings.TrimPrefix(r.text, "\ufeff")
	if !hasDeclaration(text) {
		trimmed := strings.TrimLeft(text, " \t\r\n")
		if !hasDeclaration(trimmed) {
			return len(r.text) - len(text)
		}
		r.breaks("the XML declaration is not at the start")
		text = trimmed
	}
	end := strings.Index(text, "?>")
	found := declaration.FindStringSubmatch(text)
	if found == nil {
		r.fault("a malformed XML declaration")
		if end < 0 {
			return len(r.text)
		}
	} else if r.parser != Expat {
		r.checkDeclared(found[1]+found[2], found[3]+found[4])
	}
	return len(r.text) - len(text) + end + len("?>")
}

// checkDeclared looks at the version and the encoding that a declaration names.
func (r *reader) checkDeclared(version, encoding string) {
	if minor, ok := strings.CutPrefix(version, "1."); !ok || minor == "" || strings.Trim(minor, "0123456789") != "" {
		r.fault("unknown version " + version + " of XML")
	}
	name := strings.ToLower(encoding)
	isKnown := name == "" || name == "utf-8" || name == "utf8" || IsASCII(name) || IsOneByte(name)
	if !isKnown && !strings.HasPrefix(r.text, "\ufeff") {
		r.fault("unknown encoding " + encoding)
	}
}

func hasDeclaration(text string) bool {
	rest, ok := strings.CutPrefix(text, "<?xml")
	return ok && (rest == "" || strings.IndexByte(" \t\r\n?", rest[0]) >= 0)
}

// DeclaredEncoding returns the encoding that a text names at its start, in lower case; empty if it names none.
func DeclaredEncoding(text string) string {
	found := declaration.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return strings.ToLower(found[3] + found[4])
}

// IsASCII reports whether an encoding, in lower case, is ASCII.
func IsASCII(encoding string) bool { return encoding == "us-ascii" || encoding == "ascii" }

// IsOneByte reports whether an encoding, in lower case, has a byte for each character, beyond ASCII.
func IsOneByte(encoding string) bool {
	for _, family := range []string{"iso-8859-", "iso8859-", "windows-125", "cp125", "latin", "koi8-"} {
		if strings.HasPrefix(encoding, family) {
			return true
		}
	}
	return false
}

// resolved replaces character references and entities.
func (r *reader) resolved(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	var b strings.Builder
	r.resolve(&b, text, 0)
	return b.String()
}

func (r *reader) resolve(b *strings.Builder, text string, depth int) {
	for {
		before, after, found := strings.Cut(text, "&")
		b.WriteString(before)
		if !found {
			return
		}
		const longest = 64
		name, _, closed := strings.Cut(after[:min(len(after), longest)], ";")
		if !closed || NameLength(name) != len(name) && !strings.HasPrefix(name, "#") || name == "" {
			r.fault("a bare &")
			b.WriteByte('&')
			text = after
			continue
		}
		r.reference(b, name, depth)
		text = after[len(name)+1:]
	}
}

// mostEntities is how many uses of entities are resolved, those inside of others included.
const mostEntities = 10_000

func (r *reader) reference(b *strings.Builder, name string, depth int) {
	if char, ok := predefined[name]; ok {
		b.WriteString(char)
		return
	}
	if char, ok := characterOf(name); ok {
		b.WriteRune(char)
		return
	}
	value, known := r.entities[name]
	r.entityUses++
	if !known || depth > 8 || r.entityUses > mostEntities {
		r.fault("&" + name + "; stands for nothing")
		reference := "&" + name + ";"
		if r.visitor != nil {
			reference = html.UnescapeString(reference)
		}
		b.WriteString(reference)
		return
	}
	r.resolve(b, value, depth+1)
}

var predefined = map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'"}

// characterOf reads what stands between & and ; of a character reference.
func characterOf(name string) (rune, bool) {
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return 0, false
	}
	base := 10
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, base = hex, 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !IsCharacter(rune(code)) || !utf8.ValidRune(rune(code)) {
		return 0, false
	}
	return rune(code), true
}

// readDoctype reads a document type and the entities that it declares itself. External ones are never fetched.
func (r *reader) readDoctype() {
	if r.root != nil {
		r.fault("a document type that is not at the start")
	}
	start := r.at
	r.at += len("<!DOCTYPE")
	for inside := false; r.at < len(r.text); {
		switch c := r.text[r.at]; {
		case c == '"' || c == '\'':
			r.at++
			r.until(0, string(c))
			continue
		case strings.HasPrefix(r.rest(), "<!--"):
			r.until(len("<!--"), "-->")
			continue
		case strings.HasPrefix(r.rest(), "<!ENTITY"):
			r.readEntity()
			continue
		case c == '[':
			inside = true
		case c == ']':
			inside = false
		case c == '>' && !inside:
			r.at++
			r.append(Node{Kind: Doctype, Text: r.text[start:r.at]})
			return
		}
		r.at++
	}
	r.fault("> is missing after <!DOCTYPE")
	r.append(Node{Kind: Doctype, Text: r.text[start:]})
}

func (r *reader) readEntity() {
	r.at += len("<!ENTITY")
	r.skipBlanks()
	name := r.rest()[:NameLength(r.rest())]
	r.at += len(name)
	r.skipBlanks()
	if rest := r.rest(); name == "" || rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return // a parameter or an external entity
	}
	quote := r.rest()[:1]
	r.at++
	value := r.until(0, quote)
	if _, declared := r.entities[name]; declared {
		return // the first counts
	}
	if r.entities == nil {
		r.entities = map[string]string{}
	}
	r.entities[name] = value
}
