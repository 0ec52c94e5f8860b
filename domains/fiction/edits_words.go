package fiction

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// word is a run of letters, with apostrophes inside.
var word = regexp.MustCompile(`\pL+(?:['’]\pL+)*`)

// letters are a word, or a part of one next to an apostrophe.
var letters = regexp.MustCompile(`\pL+`)

// namesIn are the words that begin with a capital letter, never occur without one,
// and stand at least once right after a word in small letters or a comma and a
// blank; in the order in which they are first met.
func namesIn(text string) []string {
	small, inside := map[string]bool{}, map[string]bool{}
	var capital []string
	met := map[string]bool{}
	end := 0
	for _, at := range letters.FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		first, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(first) {
			small[strings.ToLower(w)] = true
			end = at[1]
			continue
		}
		if !met[w] {
			met[w] = true
			capital = append(capital, w)
		}
		if between := text[end:at[0]]; end > 0 && (between == " " || between == ", " || between == "\n") {
			before, _ := utf8.DecodeLastRuneInString(text[:end])
			inside[w] = inside[w] || unicode.IsLower(before)
		}
		end = at[1]
	}
	return slices.DeleteFunc(capital, func(w string) bool {
		return !inside[w] || small[strings.ToLower(w)] || utf8.RuneCountInString(w) == 1
	})
}

// codeNames replaces names by codes such as {{C1}}.
func codeNames(p struct{ Document, To, First, Table string }) exact.Steps {
	anyCode := regexp.MustCompile(`\{\{` + regexp.QuoteMeta(strings.TrimRight(p.First, "0123456789")) + `\d+\}\}`)
	count := exact.Counting(p.First)
	change := func(s *story) (vfs.Files, error) {
		if anyCode.MatchString(s.print()) {
			return nil, fmt.Errorf("%s has codes already", p.Document)
		}
		names := namesIn((*s)[1:].print()) // titles have capitals of their own
		codes, counts := map[string]string{}, map[string]int{}
		for i, name := range names {
			codes[name] = "{{" + count(name, i) + "}}"
		}
		s.each(func(_ int, paragraph string) string {
			return letters.ReplaceAllStringFunc(paragraph, func(w string) string {
				counts[w]++
				return cmp.Or(codes[w], w)
			})
		})
		rows := [][]string{{"code", "name", "count"}}
		for _, name := range names {
			rows = append(rows, []string{codes[name], name, strconv.Itoa(counts[name])})
		}
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return stories.Rewrite(p.Document, p.To, change, func(s *story, files vfs.Files) error {
		names, err := exact.ReadRegister(files, p.Table, "code", "name")
		s.each(func(_ int, paragraph string) string {
			return anyCode.ReplaceAllStringFunc(paragraph, func(c string) string { return cmp.Or(names[c], c) })
		})
		return err
	})
}

// spelling is a list of words that are spelt another way in another country.
type spelling struct {
	Document, To string
	Words        map[string]string // in small letters
	Own, Other   string            // columns of the table
	Table        string
}

// respell spells words another way.
func respell(p spelling) exact.Steps {
	change := func(s *story) (vfs.Files, error) {
		rows := [][]string{{"word", p.Own, p.Other}}
		s.eachWord(func(number int, w string) string {
			other := p.of(w)
			if other != w {
				rows = append(rows, []string{strconv.Itoa(number), w, other})
			}
			return other
		})
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	return stories.Rewrite(p.Document, p.To, change, func(s *story, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "word", p.Own, p.Other)
		was := map[int][]string{} // by number, the word and what it is now
		for _, row := range rows {
			was[plain.LineNumber(row[0])] = row[1:]
		}
		s.eachWord(func(number int, w string) string {
			if change := was[number]; change != nil && change[1] == w {
				return change[0]
			}
			return w
		})
		return err
	})
}

// eachWord changes every word; number is its own, from 1.
func (s story) eachWord(change func(number int, w string) string) {
	number := 0
	s.each(func(_ int, paragraph string) string {
		return word.ReplaceAllStringFunc(paragraph, func(w string) string {
			number++
			return change(number, w)
		})
	})
}

// of is the other spelling of a word; its own if there is none, or if it is in capitals.
func (p *spelling) of(w string) string {
	other, known := p.Words[strings.ToLower(w)]
	first, size := utf8.DecodeRuneInString(w)
	switch {
	case !known:
		return w
	case !unicode.IsUpper(first):
		return other
	case w != strings.ToUpper(w[:size])+strings.ToLower(w[size:]):
		return w
	}
	_, size = utf8.DecodeRuneInString(other)
	return strings.ToUpper(other[:size]) + other[size:]
}

// entry is a word of the concordance.
type entry struct {
	Word       string `json:"word"`
	Count      int    `json:"count"`
	Paragraphs []int  `json:"paragraphs"`
}

var mark = regexp.MustCompile(`(?m)^§\d+ `)

// concordance lists the words that are long and frequent, and marks the paragraphs.
func concordance(p struct {
	Document, To   string
	Letters, Count int // a word has at least
	List           string
}) exact.Steps {
	change := func(s *story) (vfs.Files, error) {
		if mark.MatchString(s.print()) {
			return nil, fmt.Errorf("%s has marks already", p.Document)
		}
		all := s.entries(p.Letters)
		all = slices.DeleteFunc(all, func(e *entry) bool { return e.Count < p.Count })
		slices.SortFunc(all, func(a, b *entry) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Word, b.Word)) })
		s.each(func(number int, paragraph string) string { return fmt.Sprintf("§%d %s", number, paragraph) })
		return vfs.Files{p.List: plain.WriteJSON(plain.Array[*entry](all))}, nil
	}
	return stories.Rewrite(p.Document, p.To, change, func(s *story, _ vfs.Files) error {
		s.each(func(_ int, paragraph string) string { return mark.ReplaceAllString(paragraph, "") })
		return nil
	})
}

// entries are the words of so many letters or more.
func (s story) entries(least int) []*entry {
	entries := map[string]*entry{}
	for i, paragraph := range s {
		for _, w := range word.FindAllString(strings.ToLower(paragraph), -1) {
			if utf8.RuneCountInString(w) < least {
				continue
			}
			e := entries[w]
			if e == nil {
				e = &entry{Word: w}
				entries[w] = e
			}
			e.Count++
			if len(e.Paragraphs) == 0 || e.Paragraphs[len(e.Paragraphs)-1] != i+1 {
				e.Paragraphs = append(e.Paragraphs, i+1)
			}
		}
	}
	return slices.Collect(maps.Values(entries))
}

type jsonScene struct {
	Paragraphs []string `json:"paragraphs"`
	// BreakAfter is the line after the scene, empty after the last.
	BreakAfter string `json:"break_after"`
}

type jsonStory struct {
	Title  string      `json:"title"`
	Scenes []jsonScene `json:"scenes"`
}

// inJSON makes an object of the title and the scenes.
func inJSON(p struct{ Document, To string }) exact.Steps {
	return exact.JSON(&stories, p.Document, p.To, func(s story) (told jsonStory, err error) {
		if len(s) < 2 || isBreak(s[0]) {
			return told, fmt.Errorf("%s has no title and text", p.Document)
		}
		told = jsonStory{Title: s[0], Scenes: []jsonScene{{Paragraphs: []string{}}}}
		for _, paragraph := range s[1:] {
			last := &told.Scenes[len(told.Scenes)-1]
			if isBreak(paragraph) {
				last.BreakAfter = paragraph
				told.Scenes = append(told.Scenes, jsonScene{Paragraphs: []string{}})
				continue
			}
			last.Paragraphs = append(last.Paragraphs, paragraph)
		}
		return told, nil
	}, func(told jsonStory) (story, error) {
		s := story{told.Title}
		for _, scene := range told.Scenes {
			s = append(s, scene.Paragraphs...)
			if scene.BreakAfter != "" {
				s = append(s, scene.BreakAfter)
			}
		}
		if len(s) < 2 {
			return nil, fmt.Errorf("%s has no story", p.To)
		}
		return s, nil
	})
}
