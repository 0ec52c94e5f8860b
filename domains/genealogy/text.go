package genealogy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// normalText is a text in a form that is equal where GEDCOM means the same:
// runs of blanks are one, "@@" is "@". Line breaks count.
func normalText(text string) string {
	lines := lists.Map(strings.Split(strings.ReplaceAll(text, "@@", "@"), "\n"), folded)
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

// normalPlace has one blank after each comma of a place.
func normalPlace(place string) string {
	return strings.Join(lists.Map(strings.Split(place, ","), folded), ", ")
}

// personalName is a name in its parts, in lower case, since capitals are only a
// way of writing surnames.
type personalName struct{ given, surname, suffix string }

// readName takes a name apart. Without a value it is what the lines below it
// say; a surname that is repeated after the given names is left out.
func readName(l *line) personalName {
	value := foldedLower(l.fullText())
	if value == "" {
		return personalName{
			given:   foldedLower(l.below("NPFX") + " " + l.below("GIVN")),
			surname: foldedLower(l.below("SPFX") + " " + l.below("SURN")),
			suffix:  foldedLower(l.below("NSFX")),
		}
	}
	given, rest, _ := strings.Cut(value, "/")
	surname, suffix, _ := strings.Cut(rest, "/")
	n := personalName{strings.TrimSpace(given), strings.TrimSpace(surname), strings.TrimSpace(suffix)}
	if n.surname != "" {
		n.given = strings.TrimSuffix(n.given, " "+n.surname)
	}
	return n
}

func foldedLower(text string) string { return pytext.Lower(folded(text)) }

func (n personalName) String() string {
	surname := ""
	if n.surname != "" {
		surname = "/" + n.surname + "/"
	}
	words := []string{n.given, surname, n.suffix}
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
}

// repeats reports whether a line below the name only says again what the name
// says.
func (n personalName) repeats(part *line) bool {
	if len(part.lines) > 0 {
		return false
	}
	return part.tag == "GIVN" && foldedLower(part.value) == n.given ||
		part.tag == "SURN" && foldedLower(part.value) == n.surname
}

// months are the English names; GEDCOM has their first three letters.
var months = []string{
	"JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE",
	"JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER",
}

// keywords are the words of date phrases that are often written out.
var keywords = map[string]string{
	"ABOUT": "ABT", "CIRCA": "ABT", "BEFORE": "BEF", "AFTER": "AFT", "BETWEEN": "BET",
	"ESTIMATED": "EST", "CALCULATED": "CAL", "INTERPRETED": "INT",
}

// normalDate writes a date as the specification has it: capitals, months in
// three letters, days without a leading zero, also where it was written as in
// 1836-03-13. What stands in parentheses is a phrase, to be left as it is.
func normalDate(date string) string {
	date, phrase, _ := strings.Cut(date, "(")
	var words []string
	for _, word := range strings.Fields(strings.ToUpper(date)) {
		words = append(words, dateWords(strings.TrimRight(word, ".,"))...)
	}
	if phrase != "" {
		words = append(words, "("+folded(phrase))
	}
	return strings.Join(words, " ")
}

func dateWords(word string) []string {
	if word == "@#DGREGORIAN@" { // which it is unless another is named
		return nil
	}
	if year, month, day, ok := readISO(word); ok {
		words := []string{months[month-1][:3], year}
		if day > 0 {
			words = append([]string{strconv.Itoa(day)}, words...)
		}
		return words
	}
	if full, ok := keywords[word]; ok {
		return []string{full}
	}
	if month := monthNumber(word); month > 0 {
		return []string{months[month-1][:3]}
	}
	if len(word) == 2 && word[0] == '0' {
		word = word[1:]
	}
	return []string{word}
}

// monthNumber is the number of a month by its name or the beginning of it, 0
// if it is none.
func monthNumber(word string) int {
	for n, name := range months {
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			return n + 1
		}
	}
	return 0
}

var isoDate = regexp.MustCompile(`^([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?$`)

// readISO reads 1836-03-13, and 1836-03 with a day of 0.
func readISO(word string) (year string, month, day int, ok bool) {
	parts := isoDate.FindStringSubmatch(word)
	if parts == nil {
		return "", 0, 0, false
	}
	month, _ = strconv.Atoi(parts[2])
	day, _ = strconv.Atoi(parts[3])
	return parts[1], month, day, month >= 1 && month <= len(months) && day <= 31 && parts[3] != "00"
}

// yearIn is the first number of four digits in a normal date, empty if there is
// none.
func yearIn(date string) string {
	for word := range strings.FieldsSeq(date) {
		if len(word) == 4 && plain.IsDigits(word) {
			return word
		}
	}
	return ""
}
