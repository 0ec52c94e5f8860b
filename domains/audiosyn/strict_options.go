package audiosyn

import "strings"

// option is a flag of Csound's command line with its value.
type option struct{ flag, value string }

// The single-letter flags that take a value, in the same word or in the next one.
const (
	textFlags   = "ioLMFQOUx@"
	numberFlags = "bBkrtmEHz"
)

// mostOptions is how many options a line has at most. Beyond, the rest of it is
// one.
const mostOptions = 1000

// readOptions reads a line of options. The program's name is none.
func readOptions(text string) []option {
	var all []option
	words := strings.Fields(text)
	for n := 0; n < len(words) && len(all) <= mostOptions; n++ {
		word := words[n]
		switch {
		case word == "csound":
		case len(word) < 2 || word[0] != '-':
			all = append(all, option{"", word})
		case word[1] == '-' || word[1] == '+':
			flag, value, _ := strings.Cut(word, "=")
			all = append(all, option{flag, value})
		default:
			next := ""
			if n+1 < len(words) && !strings.HasPrefix(words[n+1], "-") {
				next = words[n+1]
			}
			flags, used := letterFlags(word[1:], next)
			all = append(all, flags...)
			if used {
				n++
			}
		}
	}
	if len(all) > mostOptions {
		return append(all[:mostOptions], option{"", short(text)})
	}
	return all
}

// letterFlags reads flags of one letter each that are written together.
func letterFlags(letters, next string) (all []option, used bool) {
	for at := 0; at < len(letters) && len(all) <= mostOptions; {
		flag := letters[at : at+1]
		at++
		value := ""
		switch {
		case strings.Contains(textFlags, flag):
			value, at = letters[at:], len(letters)
		case strings.Contains(numberFlags, flag):
			start := at
			for at < len(letters) && (isDigit(letters[at]) || letters[at] == '.') {
				at++
			}
			value = letters[start:at]
		default:
			all = append(all, option{"-" + flag, ""})
			continue
		}
		if value == "" && at == len(letters) && next != "" {
			value, used = next, true
		}
		all = append(all, option{"-" + flag, value})
	}
	return all, used
}
