package wellformed

import (
	"encoding/csv"
	"encoding/json"
	encodingxml "encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/encoding/ianaindex"

	"agentd/domains/internal/pycsv"
	"agentd/domains/internal/xml"
	"agentd/internal/lazyregexp"
)

// stop is the slip of a reader that reads no further.
func stop(line int, what string) []Slip { return []Slip{{Line: line, What: what, Stops: true}} }

// JSON is judged by encoding/json, and by its objects: each has a member once.
func JSON(_, text string) []Slip {
	var syntax *json.SyntaxError
	var value json.RawMessage
	if err := json.Unmarshal([]byte(text), &value); !errors.As(err, &syntax) {
		return repeatedMembers(text)
	}
	at := int(syntax.Offset) - 1
	if strings.HasPrefix(syntax.Error(), "unexpected end") {
		return stop(lineOf(text, len(strings.TrimRight(text, " \t\n"))), "the end is missing: something is not closed")
	}
	what := "no JSON: " + syntax.Error()
	before := strings.TrimRight(text[:min(max(at, 0), len(text))], " \t\n")
	switch {
	case strings.Contains(what, "after array element"), strings.Contains(what, "after object key:value pair"):
		what = "a comma is missing"
	case strings.Contains(what, "after object key"):
		what = "a colon is missing"
	case strings.HasSuffix(before, ","):
		what = "nothing, or no JSON, follows a comma"
	case strings.Contains(what, "after top-level value"):
		what = "text after the end of the JSON"
	}
	return stop(lineOf(text, at), what)
}

// repeatedMembers are the slips of objects of a JSON text that have a member twice. Which of both counts is up to the reader.
func repeatedMembers(text string) []Slip {
	var all []Slip
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	line, counted := 1, 0 // the line of the place up to which lines are counted
	type level struct {
		members map[string]bool // nil in a list
		value   bool            // a value follows, of the member that was read
	}
	var open []level
	for {
		token, err := decoder.Token()
		if err != nil {
			return all
		}
		last := len(open) - 1
		if last >= 0 && open[last].members != nil && !open[last].value {
			if name, isName := token.(string); isName {
				if open[last].members[name] {
					at := int(decoder.InputOffset())
					line, counted = line+strings.Count(text[counted:at], "\n"), at
					all = append(all, Slip{Line: line, What: "a member stands twice in an object", Text: name})
				}
				open[last].members[name], open[last].value = true, true
				continue
			}
		}
		switch token {
		case json.Delim('{'):
			open = append(open, level{members: map[string]bool{}})
			continue
		case json.Delim('['):
			open = append(open, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:last]
		}
		if last = len(open) - 1; last >= 0 {
			open[last].value = false
		}
	}
}

// XML is judged by the rules of well-formed XML.
func XML(_, text string) []Slip {
	document := xml.ReadStrictly(text, xml.LibXML2)
	switch {
	case document.Broken != "":
		return stop(document.Line, document.Broken)
	case len(document.Faults) > 0:
		return stop(0, document.Faults[0])
	}
	if m := declaredEncoding.FindStringSubmatch(text); m != nil {
		if slips := charset(1, m[1]); slips != nil {
			return slips
		}
	}
	var all []Slip
	for _, m := range prefixes.FindAllStringSubmatchIndex(text, -1) {
		prefix, space := text[m[2]:m[3]], text[m[4]:m[5]]
		if space != wellKnown[prefix] {
			all = append(all, Slip{Line: lineOf(text, m[0]), What: "the prefix " + prefix + " stands for an unknown namespace", Text: space})
		}
	}
	return all
}

// Prefixes that documents of many formats have, and their namespaces.
var (
	prefixes  = lazyregexp.New(`xmlns:(xsi|xlink|xsd|xs)\s*=\s*["']([^"']*)["']`)
	wellKnown = map[string]string{
		"xsi": "http://www.w3.org/2001/XMLSchema-instance", "xlink": "http://www.w3.org/1999/xlink",
		"xsd": "http://www.w3.org/2001/XMLSchema", "xs": "http://www.w3.org/2001/XMLSchema",
	}
)

// Namespace checks that the first XML element with one of the names stands in a namespace of the form. Readers find elements
// by both.
func Namespace(form string, names ...string) Check {
	known := lazyregexp.New(form)
	return func(_, text string) []Slip {
		decoder := encodingxml.NewDecoder(strings.NewReader(text))
		decoder.Strict = false
		decoder.CharsetReader = anyCharset
		for {
			token, err := decoder.Token()
			if err != nil {
				return nil
			}
			if start, ok := token.(encodingxml.StartElement); ok && slices.Contains(names, start.Name.Local) {
				if known.MatchString(start.Name.Space) {
					return nil
				}
				line, _ := decoder.InputPos()
				return []Slip{{Line: line, What: "<" + start.Name.Local + "> is in no namespace of the format"}}
			}
		}
	}
}

var declaredEncoding = lazyregexp.New(`^<\?xml[^>]*\bencoding=["']([^"']*)["']`)

// charset is the slip of an unknown encoding.
func charset(line int, name string) []Slip {
	if strings.EqualFold(name, "ascii") || strings.EqualFold(name, "us-ascii") {
		return nil
	}
	if encoding, err := ianaindex.MIME.Encoding(name); err != nil || encoding == nil {
		return stop(line, "there is no encoding "+strconv.Quote(name))
	}
	return nil
}

var yamlLine = lazyregexp.New(`^yaml: (?:line (\d+): )?(.*)$`)

// YAML is judged by the YAML library. A file may hold several documents.
func YAML(_, text string) []Slip {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var node yaml.Node
		err := decoder.Decode(&node)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err == nil:
			if node.Kind == yaml.DocumentNode && len(node.Content) == 1 && node.Content[0].Kind == yaml.ScalarNode && strings.TrimSpace(node.Content[0].Value) != "" {
				return stop(node.Content[0].Line, "a text stands where mappings or lists are expected")
			}
			if slip := repeatedKey(&node); slip != nil {
				return slip
			}
			continue
		}
		m := yamlLine.FindStringSubmatch(strings.SplitN(err.Error(), "\n", 2)[0])
		if m == nil {
			return stop(0, err.Error())
		}
		line, _ := strconv.Atoi(m[1])
		return stop(line, m[2])
	}
}

// repeatedKey is the slip of a mapping that has a key twice, which the library notes only when it decodes into a map.
func repeatedKey(n *yaml.Node) []Slip {
	keys := map[string]bool{}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode && child.Value != "<<" {
			if keys[child.Value] {
				return []Slip{{Line: child.Line, What: "a key stands twice in a mapping", Text: child.Value}}
			}
			keys[child.Value] = true
		}
		if slip := repeatedKey(child); slip != nil {
			return slip
		}
	}
	return nil
}

// CSV is judged by encoding/csv, and by its rows: each is as long as the header.
func CSV(_, text string) []Slip {
	if pycsv.Quote(text) == '\'' { // which encoding/csv does not know
		text = strings.NewReplacer(`'`, `"`, `"`, `'`).Replace(text)
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma, reader.FieldsPerRecord = separator(text), -1
	var all []Slip
	columns := 0
	for {
		record, err := reader.Read()
		var wrong *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return all
		case errors.As(err, &wrong):
			what := "a quote stands in a cell without quotes"
			if errors.Is(err, csv.ErrQuote) {
				what = "a text in quotes is not closed, or goes on after its end"
			}
			return append(all, Slip{Line: wrong.StartLine, What: what, Stops: true})
		case err != nil:
			return append(all, Slip{What: err.Error(), Stops: true})
		}
		line, _ := reader.FieldPos(0)
		if columns == 0 {
			columns = len(record)
		}
		if len(record) != columns {
			what := "a row has fewer cells than the header"
			if len(record) > columns {
				what = "a row has more cells than the header"
			}
			all = append(all, Slip{Line: line, What: what, Text: strings.Join(record, "\x00")})
		}
	}
}

// separator is the one of the usual separators that the first line that is not empty has most of.
func separator(text string) rune {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
	best := ','
	for _, c := range ";\t|" {
		if strings.Count(line, string(c)) > strings.Count(line, string(best)) {
			best = c
		}
	}
	return best
}
