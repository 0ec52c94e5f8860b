package fiction

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// word is a run of letters, with apostrophes inside.
var word = regexp.MustCompile(`\pL+(?:['’]\pL+)*`)

// letters are a word, or a part of one next to an apostrophe.
var letters = regexp.MustCompile(`\pL+`)

// Names as codes.
const (
	codedFile = "coded.txt"
	castFile  = "cast.csv"
)

func code(n int) string { return fmt.Sprintf("{{C%d}}", n) }

var anyCode = regexp.MustCompile(`\{\{C\d+\}\}`)

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

func codeNames(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, document)
	if err != nil {
		return nil, err
	}
	text := s.print()
	if anyCode.MatchString(text) {
		return nil, fmt.Errorf("%s has codes already", document)
	}
	names := namesIn(s[1:].print()) // titles have capitals of their own
	codes, counts := map[string]string{}, map[string]int{}
	for i, name := range names {
		codes[name] = code(i + 1)
	}
	coded := letters.ReplaceAllStringFunc(text, func(w string) string {
		c, known := codes[w]
		if !known {
			return w
		}
		counts[w]++
		return c
	})
	rows := [][]string{{"code", "name", "count"}}
	for i, name := range names {
		rows = append(rows, []string{code(i + 1), name, strconv.Itoa(counts[name])})
	}
	return vfs.Files{codedFile: coded, castFile: plain.WriteCSV(rows)}, nil
}

func nameCodes(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, codedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, castFile, "code", "name")
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, row := range rows {
		names[strings.TrimSpace(row[0])] = row[1]
	}
	text := anyCode.ReplaceAllStringFunc(s.print(), func(c string) string { return cmp.Or(names[c], c) })
	return vfs.Files{document: text}, nil
}

// Spelling.
const (
	americanFile = "american.txt"
	changesFile  = "changes.csv"
)

// american are the words that are spelt another way there.
var american = map[string]string{
	"colour": "color", "colours": "colors", "coloured": "colored", "grey": "gray", "greyer": "grayer", "harbour": "harbor",
	"harbours": "harbors", "neighbour": "neighbor", "neighbours": "neighbors", "favour": "favor", "honour": "honor", "rumour": "rumor",
	"plough": "plow", "ploughed": "plowed", "tyre": "tire", "tyres": "tires", "kerb": "curb", "storey": "story", "travelled": "traveled",
	"traveller": "traveler", "centre": "center", "theatre": "theater", "metre": "meter", "metres": "meters", "mould": "mold",
	"jewellery": "jewelry", "cheque": "check", "pyjamas": "pajamas", "sceptical": "skeptical", "realise": "realize", "realised": "realized",
	"recognise": "recognize", "recognised": "recognized", "apologise": "apologize", "apologised": "apologized", "whisky": "whiskey",
}

func toAmerican(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, document)
	if err != nil {
		return nil, err
	}
	number := 0
	rows := [][]string{{"word", "british", "american"}}
	text := word.ReplaceAllStringFunc(s.print(), func(w string) string {
		number++
		other, known := american[strings.ToLower(w)]
		if !known {
			return w
		}
		if first, size := utf8.DecodeRuneInString(w); unicode.IsUpper(first) {
			if w != strings.ToUpper(w[:size])+strings.ToLower(w[size:]) {
				return w // in capitals
			}
			other = strings.ToUpper(other[:1]) + other[1:]
		}
		rows = append(rows, []string{strconv.Itoa(number), w, other})
		return other
	})
	return vfs.Files{americanFile: text, changesFile: plain.WriteCSV(rows)}, nil
}

func toBritish(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, americanFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, changesFile, "word", "british", "american")
	if err != nil {
		return nil, err
	}
	british := map[string][]string{} // by number, the word and what it was
	for _, row := range rows {
		british[strings.TrimSpace(row[0])] = row[1:]
	}
	number := 0
	text := word.ReplaceAllStringFunc(s.print(), func(w string) string {
		number++
		if change := british[strconv.Itoa(number)]; change != nil && change[1] == w {
			return change[0]
		}
		return w
	})
	return vfs.Files{document: text}, nil
}

// A concordance.
const (
	markedFile = "marked.txt"
	indexFile  = "concordance.json"
)

// entry is a word of the concordance.
type entry struct {
	Word       string `json:"word"`
	Count      int    `json:"count"`
	Paragraphs []int  `json:"paragraphs"`
}

// A word is in the concordance if it is as long and as frequent as this.
const (
	leastLetters = 6
	leastCount   = 3
)

var mark = regexp.MustCompile(`(?m)^§\d+ `)

func toConcordance(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, document)
	if err != nil {
		return nil, err
	}
	if mark.MatchString(s.print()) {
		return nil, fmt.Errorf("%s has marks already", document)
	}
	entries := map[string]*entry{}
	number := 0
	marked := s.each(func(paragraph string) string {
		number++
		for _, w := range word.FindAllString(strings.ToLower(paragraph), -1) {
			if utf8.RuneCountInString(w) < leastLetters {
				continue
			}
			e := entries[w]
			if e == nil {
				e = &entry{Word: w}
				entries[w] = e
			}
			e.Count++
			if len(e.Paragraphs) == 0 || e.Paragraphs[len(e.Paragraphs)-1] != number {
				e.Paragraphs = append(e.Paragraphs, number)
			}
		}
		return fmt.Sprintf("§%d %s", number, paragraph)
	})
	all := slices.Collect(maps.Values(entries))
	all = slices.DeleteFunc(all, func(e *entry) bool { return e.Count < leastCount })
	slices.SortFunc(all, func(a, b *entry) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Word, b.Word)) })
	index, err := plain.JSONArray(all)
	if err != nil {
		return nil, err
	}
	return vfs.Files{markedFile: marked.print(), indexFile: index}, nil
}

func fromConcordance(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, markedFile)
	if err != nil {
		return nil, err
	}
	return vfs.Files{document: mark.ReplaceAllString(s.print(), "")}, nil
}

// The story as JSON.
const jsonFile = "story.json"

type jsonScene struct {
	Paragraphs []string `json:"paragraphs"`
	// BreakAfter is the line after the scene, empty after the last.
	BreakAfter string `json:"break_after"`
}

type jsonStory struct {
	Title  string      `json:"title"`
	Scenes []jsonScene `json:"scenes"`
}

func toJSON(files vfs.Files) (vfs.Files, error) {
	s, err := storyOf(files, document)
	if err != nil {
		return nil, err
	}
	if len(s) < 2 || isBreak(s[0]) {
		return nil, fmt.Errorf("%s has no title and text", document)
	}
	told := jsonStory{Title: s[0], Scenes: []jsonScene{{Paragraphs: []string{}}}}
	for _, paragraph := range s[1:] {
		last := &told.Scenes[len(told.Scenes)-1]
		if isBreak(paragraph) {
			last.BreakAfter = paragraph
			told.Scenes = append(told.Scenes, jsonScene{Paragraphs: []string{}})
			continue
		}
		last.Paragraphs = append(last.Paragraphs, paragraph)
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(told); err != nil {
		return nil, err
	}
	return vfs.Files{jsonFile: b.String()}, nil
}

func fromJSON(files vfs.Files) (vfs.Files, error) {
	var told jsonStory
	if err := plain.JSON(files, jsonFile, &told); err != nil {
		return nil, err
	}
	s := story{told.Title}
	for _, scene := range told.Scenes {
		s = append(s, scene.Paragraphs...)
		if scene.BreakAfter != "" {
			s = append(s, scene.BreakAfter)
		}
	}
	if len(s) < 2 {
		return nil, fmt.Errorf("%s has no story", jsonFile)
	}
	return vfs.Files{document: s.print()}, nil
}
