package spreadsheet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
)

// fileWord is a value in lower case, every run of other
// characters than letters and digits one underscore.
func fileWord(value, without string) string {
	word := others.ReplaceAllString(strings.ToLower(value), "_")
	return cmp.Or(word, without)
}

var others = regexp.MustCompile(`[^\p{L}\p{Nd}]+`)

// codesOf gives each value the initials of its words; values with the same
// initials are numbered in their order.
func codesOf(values []string) map[string]string {
	shared := map[string]int{}
	for _, value := range values {
		shared[initials(value)]++
	}
	codes := make(map[string]string, len(values))
	used := map[string]int{}
	for _, value := range values {
		code := initials(value)
		if shared[code] > 1 {
			used[code]++
			code += strconv.Itoa(used[code])
		}
		codes[value] = code
	}
	return codes
}

// initials are the first letters of the first three words in upper case, a
// word being a run of letters; X if there is none.
func initials(value string) string {
	const most = 3
	words := strings.FieldsFunc(value, func(r rune) bool { return !unicode.IsLetter(r) })
	var b strings.Builder
	for _, word := range words[:min(most, len(words))] {
		b.WriteRune(unicode.ToUpper([]rune(word)[0]))
	}
	return cmp.Or(b.String(), "X")
}

// plainAmount is an amount in digits; more of them than here no sum of money
// has.
var plainAmount = regexp.MustCompile(`^[+-]?[0-9]{1,30}(\.[0-9]{1,30})?$`)

func readAmount(cell string) (decimal.Decimal, bool) {
	if !plainAmount.MatchString(cell) {
		return decimal.Decimal{}, false
	}
	amount, err := decimal.NewFromString(cell)
	return amount, err == nil
}

// sum adds up a column exactly, with the decimals of its most precise cell.
func sum(rows [][]string, k int) string {
	total := decimal.Zero
	places := int32(0)
	for _, row := range rows {
		if amount, ok := readAmount(row[k]); ok {
			total = total.Add(amount)
			places = max(places, -amount.Exponent())
		}
	}
	return total.StringFixed(places)
}

// readTotals returns the listed rows, and whether each is one of the table
// with the mark.
func readTotals(list string, rows int, isTotal func(n int) bool) (map[int]bool, bool) {
	var numbers []int
	if err := json.Unmarshal([]byte(list), &numbers); err != nil {
		return nil, false
	}
	totals := make(map[int]bool, len(numbers))
	for _, number := range numbers {
		if number < 1 || number > rows || !isTotal(number-1) {
			return nil, false
		}
		totals[number-1] = true
	}
	return totals, true
}

func jsonString(text string) string { return strings.TrimSuffix(plain.WriteJSON(text), "\n") }

// jsonObject returns the members of an object in order: strings as they are,
// null as nothing, other values as they are written.
func jsonObject(line string) (names, values []string, ok bool) {
	decoder := json.NewDecoder(strings.NewReader(line))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil, nil, false
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, nil, false
		}
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return nil, nil, false
		}
		value := string(raw)
		if bytes.HasPrefix(raw, []byte(`"`)) || value == "null" {
			value = ""
			_ = json.Unmarshal(raw, &value) // decoded once already
		}
		names, values = append(names, name.(string)), append(values, value)
	}
	return names, values, true
}
