package python

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	catalogueFile  = "with_messages.py"
	messagesFile   = "messages.py"
	messagesModule = "messages"
	messagesName   = "MSG"
	numberedFile   = "with_names.py"
	numbersFile    = "numbers.csv"
	numberPrefix   = "NUMBER_"
)

// labels names texts as they are written, in the order in which they come.
type labels struct {
	prefix string
	known  map[string]string
	texts  []string
}

func (l *labels) of(text string) string {
	label, ok := l.known[text]
	if !ok {
		l.texts = append(l.texts, text)
		label = l.prefix + strconv.Itoa(len(l.texts))
		l.known[text] = label
	}
	return label
}

// takeMessages moves the texts that are printed into a module of messages.
func takeMessages(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := s.clashes([]string{messagesModule}, func(name string) bool { return name == messagesName }); err != nil {
		return nil, err
	}
	messages := labels{prefix: "m", known: map[string]string{}}
	for i := range s.parts {
		p := &s.parts[i]
		var changes []change
		p.eachToken(func(tokens []token) {
			for _, span := range printedTexts(p.code, tokens) {
				label := messages.of(p.code[span.start:span.end])
				changes = append(changes, change{span.start, span.end, fmt.Sprintf("%s[%q]", messagesName, label)})
			}
		})
		p.rewrite(changes)
	}
	s.insert("from " + messagesModule + " import " + messagesName + "\n")
	var b strings.Builder
	b.WriteString(messagesName + " = {\n")
	for i, text := range messages.texts {
		fmt.Fprintf(&b, "    \"m%d\": %s,\n", i+1, text)
	}
	b.WriteString("}\n")
	return vfs.Files{catalogueFile: s.print(), messagesFile: b.String()}, nil
}

// printedTexts are the texts in calls of print, those in square brackets left
// out. Texts side by side are one.
func printedTexts(source string, tokens []token) []change {
	var found []change
	var brackets []byte
	printing := 0 // the depth of brackets in which a call of print stands, 0 outside
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.kind == operatorToken {
			switch c := source[t.start]; {
			case opens(c):
				brackets = append(brackets, c)
				isPrint := i > 0 && tokens[i-1].in(source) == "print" && !isAttribute(source, tokens, i-1)
				if printing == 0 && c == '(' && isPrint {
					printing = len(brackets)
				}
			case closes(c):
				if len(brackets) == printing {
					printing = 0
				}
				brackets = brackets[:max(len(brackets)-1, 0)]
			}
			continue
		}
		if t.kind != stringToken {
			continue
		}
		first := i
		for i+1 < len(tokens) && tokens[i+1].kind == stringToken {
			i++
		}
		if printing > 0 && !slices.Contains(brackets[printing:], '[') && arePlain(source, tokens[first:i+1]) {
			found = append(found, change{start: int(t.start), end: int(tokens[i].end)})
		}
	}
	return found
}

// arePlain reports whether texts are neither f-strings nor bytes.
func arePlain(source string, texts []token) bool {
	return !slices.ContainsFunc(texts, func(t token) bool {
		prefix, _, _ := literal(t.in(source))
		return strings.ContainsAny(prefix, "fFbB")
	})
}

// writeMessages puts the texts back where their keys stand.
func writeMessages(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, catalogueFile)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, messagesFile)
	if err != nil {
		return nil, err
	}
	messages, err := readMessages(text)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", messagesFile, err)
	}
	s.remove(func(p *part) bool { return p.importsFrom(messagesModule) })
	for i := range s.parts {
		p := &s.parts[i]
		var changes []change
		p.eachToken(func(tokens []token) {
			for k := 0; k+3 < len(tokens); k++ {
				if tokens[k].in(p.code) != messagesName || tokens[k+1].in(p.code) != "[" || tokens[k+2].kind != stringToken {
					continue
				}
				_, key := decoded(tokens[k+2].in(p.code))
				message, ok := messages[key]
				if !ok {
					err = fmt.Errorf("%s has no message %q", messagesFile, key)
				}
				changes = append(changes, change{int(tokens[k].start), int(tokens[k+3].end), message})
			}
		})
		p.rewrite(changes)
	}
	return asDocument(s), err
}

// readMessages reads the texts of a module of messages, as they are written.
func readMessages(text string) (map[string]string, error) {
	s, err := readSheet(text)
	if err != nil {
		return nil, err
	}
	messages := map[string]string{}
	for i := range s.parts {
		p := &s.parts[i]
		p.eachToken(func(tokens []token) {
			open := slices.IndexFunc(tokens, func(t token) bool { return t.in(p.code) == "{" })
			if open < 0 || tokens[0].in(p.code) != messagesName {
				return
			}
			items, _ := divided(p.code, tokens, open)
			for _, item := range items {
				if len(item) < 3 || item[0].kind != stringToken {
					continue
				}
				_, key := decoded(item[0].in(p.code))
				messages[key] = p.code[item[2].start:item[len(item)-1].end]
			}
		})
	}
	return messages, nil
}

// amount is the value of a number, if it is one that a table can have.
func amount(text string) (*big.Float, bool) {
	const longest = 40 // digits
	plain := strings.ReplaceAll(text, "_", "")
	if len(plain) > longest {
		return nil, false
	}
	if whole, ok := new(big.Int).SetString(plain, 0); ok {
		return new(big.Float).SetInt(whole), true
	}
	if value, err := strconv.ParseFloat(plain, 64); err == nil {
		return big.NewFloat(value), true
	}
	return nil, false
}

// takeNumbers gives the numbers in functions names, and lists them by size.
func takeNumbers(files vfs.Files) (vfs.Files, error) {
	s, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if err := s.clashes(nil, func(name string) bool { return strings.HasPrefix(name, numberPrefix) }); err != nil {
		return nil, err
	}
	names := labels{prefix: numberPrefix, known: map[string]string{}}
	uses, users := map[string]int{}, map[string][]string{}
	for _, f := range s.functions() {
		var changes []change
		f.eachToken(func(tokens []token) {
			for _, t := range tokens {
				text := t.in(f.code)
				if _, ok := amount(text); t.kind != numberToken || !ok || text == "0" || text == "1" {
					continue
				}
				name := names.of(text)
				uses[name]++
				if !slices.Contains(users[name], f.name) {
					users[name] = append(users[name], f.name)
				}
				changes = append(changes, change{int(t.start), int(t.end), name})
			}
		})
		f.rewrite(changes)
	}
	var b strings.Builder
	for _, text := range names.texts {
		fmt.Fprintf(&b, "%s = %s\n", names.known[text], text)
	}
	if b.Len() > 0 {
		s.insert(b.String())
	}
	slices.SortStableFunc(names.texts, func(x, y string) int {
		a, _ := amount(x)
		b, _ := amount(y)
		return a.Cmp(b)
	})
	table := [][]string{{"name", "value", "uses", "functions"}}
	for _, text := range names.texts {
		name := names.known[text]
		table = append(table, []string{name, text, strconv.Itoa(uses[name]), strings.Join(users[name], " ")})
	}
	return vfs.Files{numberedFile: s.print(), numbersFile: plain.WriteCSV(table)}, nil
}

// writeNumbers puts the numbers back in the place of their names.
func writeNumbers(files vfs.Files) (vfs.Files, error) {
	s, err := readNamed(files, numberedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, numbersFile, "name", "value")
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, row := range rows {
		values[strings.TrimSpace(row[0])] = strings.TrimSpace(row[1])
	}
	s.remove(func(p *part) bool {
		names := p.assigned()
		return len(names) > 0 && strings.HasPrefix(names[0], numberPrefix)
	})
	s.renameNames(values)
	return asDocument(s), nil
}

// renameNames writes names in another way, wherever they stand as names.
func (s *sheet) renameNames(renamed map[string]string) {
	for i := range s.parts {
		p := &s.parts[i]
		var changes []change
		p.eachToken(func(tokens []token) {
			eachName(p.code, tokens, func(t token) {
				if other, ok := renamed[t.in(p.code)]; ok {
					changes = append(changes, change{int(t.start), int(t.end), other})
				}
			})
		})
		p.rewrite(changes)
	}
}
