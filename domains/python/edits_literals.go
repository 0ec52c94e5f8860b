package python

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// labels are codes for texts as they are written, which count up from 1 after a prefix.
func labels(prefix string) exact.Codes {
	return exact.Codes{New: func(_ string, codes int) string { return prefix + strconv.Itoa(codes+1) }}
}

// textsApart moves the texts that are printed into a dictionary in a module of its own.
func textsApart(p struct {
	Document, To, Module string
	Name, Key            string // of the dictionary, and how its keys begin
}) exact.Steps {
	module := baseName(p.Module)
	forward := func(s *sheet) (vfs.Files, error) {
		if err := s.clashes([]string{module}, func(name string) bool { return name == p.Name }); err != nil {
			return nil, err
		}
		keys := labels(p.Key)
		s.replace(func(of *part, tokens []token) (changes []change) {
			for _, span := range printedTexts(tokens) {
				key := keys.Of(of.code[span.start:span.end])
				changes = append(changes, change{span.start, span.end, fmt.Sprintf("%s[%q]", p.Name, key)})
			}
			return changes
		})
		s.insert("from " + module + " import " + p.Name + "\n")
		var b strings.Builder
		b.WriteString(p.Name + " = {\n")
		keys.Each(func(key, text string) { fmt.Fprintf(&b, "    %q: %s,\n", key, text) })
		b.WriteString("}\n")
		return vfs.Files{p.Module: b.String()}, nil
	}
	return programs.Rewrite(p.Document, p.To, forward, func(s *sheet, files vfs.Files) error {
		from, err := programs.Named(files, p.Module)
		if err != nil {
			return err
		}
		texts := from.dictionary(p.Name)
		s.remove(func(p *part) bool { return p.importsFrom(module) })
		s.replace(func(of *part, tokens []token) (changes []change) {
			for k := 0; k+3 < len(tokens); k++ {
				if tokens[k].text != p.Name || tokens[k+1].text != "[" || tokens[k+2].kind != stringToken {
					continue
				}
				_, key := decoded(tokens[k+2].text)
				text, ok := texts[key]
				if !ok {
					err = fmt.Errorf("%s has no text %q", p.Module, key)
				}
				changes = append(changes, change{tokens[k].start, tokens[k+3].end(), text})
			}
			return changes
		})
		return err
	})
}

// replace makes changes in all parts; find names those in a line.
func (s *sheet) replace(find func(p *part, tokens []token) []change) {
	for i := range s.parts {
		s.parts[i].replace(find)
	}
}

// replace makes changes in a part; find names those in a line.
func (p *part) replace(find func(p *part, tokens []token) []change) {
	var changes []change
	p.eachToken(func(tokens []token) { changes = append(changes, find(p, tokens)...) })
	p.rewrite(changes)
}

// printedTexts are the texts in calls of print, those in square brackets left
// out. Texts side by side are one.
func printedTexts(tokens []token) []change {
	var found []change
	var brackets []byte
	printing := 0 // the depth of brackets in which a call of print stands, 0 outside
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.kind == operatorToken {
			switch c := t.text[0]; {
			case opens(c):
				brackets = append(brackets, c)
				isPrint := i > 0 && tokens[i-1].text == "print" && !isAttribute(tokens, i-1)
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
		if printing > 0 && !slices.Contains(brackets[printing:], '[') && arePlain(tokens[first:i+1]) {
			found = append(found, change{start: t.start, end: tokens[i].end()})
		}
	}
	return found
}

// arePlain reports whether texts are neither f-strings nor bytes.
func arePlain(texts []token) bool {
	return !slices.ContainsFunc(texts, func(t token) bool {
		prefix, _, _ := literal(t.text)
		return strings.ContainsAny(prefix, "fFbB")
	})
}

// dictionary reads the texts of a dictionary, as they are written.
func (s *sheet) dictionary(name string) map[string]string {
	messages := map[string]string{}
	for i := range s.parts {
		p := &s.parts[i]
		p.eachToken(func(tokens []token) {
			open := slices.IndexFunc(tokens, func(t token) bool { return t.text == "{" })
			if open < 0 || tokens[0].text != name {
				return
			}
			items, _ := divided(tokens, open)
			for _, item := range items {
				if len(item) < 3 || item[0].kind != stringToken {
					continue
				}
				_, key := decoded(item[0].text)
				messages[key] = p.code[item[2].start:item[len(item)-1].end()]
			}
		})
	}
	return messages
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

// nameNumbers gives the numbers in functions names, and lists them by size.
func nameNumbers(p struct {
	Document, To string
	Begins       string   // of a name
	Keep         []string // numbers that get none
	Table        string
}) exact.Steps {
	forward := func(s *sheet) (vfs.Files, error) {
		if err := s.clashes(nil, func(name string) bool { return strings.HasPrefix(name, p.Begins) }); err != nil {
			return nil, err
		}
		names := labels(p.Begins)
		uses, users := map[string]int{}, map[string][]string{}
		for _, f := range s.functions() {
			f.replace(func(f *part, tokens []token) (changes []change) {
				for _, t := range tokens {
					text := t.text
					if _, ok := amount(text); t.kind != numberToken || !ok || slices.Contains(p.Keep, text) {
						continue
					}
					uses[text]++
					if !slices.Contains(users[text], f.name) {
						users[text] = append(users[text], f.name)
					}
					changes = append(changes, change{t.start, t.end(), names.Of(text)})
				}
				return changes
			})
		}
		var numbers []string
		assignments := ""
		names.Each(func(name, number string) {
			numbers = append(numbers, number)
			assignments += name + " = " + number + "\n"
		})
		if assignments != "" {
			s.insert(assignments)
		}
		slices.SortStableFunc(numbers, func(x, y string) int {
			a, _ := amount(x)
			b, _ := amount(y)
			return a.Cmp(b)
		})
		table := [][]string{{"name", "value", "uses", "functions"}}
		for _, number := range numbers {
			table = append(table, []string{names.Of(number), number, strconv.Itoa(uses[number]), strings.Join(users[number], " ")})
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return programs.Rewrite(p.Document, p.To, forward, func(s *sheet, files vfs.Files) error {
		values, err := renames(files, p.Table, "name", "value")
		s.remove(func(of *part) bool {
			names := of.assigned()
			return len(names) > 0 && strings.HasPrefix(names[0], p.Begins)
		})
		s.renameNames(values)
		return err
	})
}

// renames reads a table of what names become.
func renames(files vfs.Files, table, name, becomes string) (map[string]string, error) {
	all, err := exact.ReadRegister(files, table, name, becomes)
	for name, text := range all {
		all[name] = strings.TrimSpace(text)
	}
	return all, err
}

// renameNames writes names in another way, wherever they stand as names.
func (s *sheet) renameNames(renamed map[string]string) {
	s.replace(func(p *part, tokens []token) (changes []change) {
		eachName(tokens, func(t token) {
			if other, ok := renamed[t.text]; ok {
				changes = append(changes, change{t.start, t.end(), other})
			}
		})
		return changes
	})
}
