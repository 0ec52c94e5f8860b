package robotics

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// isText reports whether an attribute holds a name or the like, in which every
// character counts.
func isText(attribute string) bool {
	switch attribute {
	case "name", "link", "joint", "reference", "type", "filename", "xmlns":
		return true
	}
	return false
}

// defaults are the values that hold where an attribute or its element is
// missing.
var defaults = map[string]string{
	"robot version":                      "1",
	"origin xyz":                         "0 0 0",
	"origin rpy":                         "0 0 0",
	"axis xyz":                           "1 0 0",
	"mesh scale":                         "1 1 1",
	"limit lower":                        "0",
	"limit upper":                        "0",
	"dynamics damping":                   "0",
	"dynamics friction":                  "0",
	"mimic multiplier":                   "1",
	"mimic offset":                       "0",
	"safety_controller soft_lower_limit": "0",
	"safety_controller soft_upper_limit": "0",
	"safety_controller k_position":       "0",
}

func isDefault(element, attribute, value string) bool {
	if len(value) > len("0 0 0") {
		return false
	}
	known, ok := defaults[element+" "+attribute]
	return ok && known == value
}

// isOptional reports whether an empty element says no more than none.
func isOptional(element string) bool {
	switch element {
	case "origin", "axis", "dynamics":
		return true
	}
	return false
}

// normal writes a text of numbers and words so that equal ones are equal. A
// word of digits with a zero before them is a number only where the format wants
// one.
func normal(text string, wantsNumbers bool) string {
	words := pytext.Fields(text)
	for k, word := range words {
		if wantsNumbers || !isPadded(word) {
			words[k] = plain.Number(word)
		}
	}
	return strings.Join(words, " ")
}

func isPadded(word string) bool {
	word = strings.TrimLeft(word, "-")
	return len(word) > 1 && word[0] == '0' && word[1] >= '0' && word[1] <= '9'
}
