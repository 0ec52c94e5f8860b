package libcatalog

import (
	"strings"
	"unicode/utf8"
)

// MARC in mnemonic form, as MARCMaker and MarcEdit have it: blanks are written
// as backslashes where their number matters, and a sign that has a meaning of
// its own is named in braces.
var (
	named   = strings.NewReplacer("$", "{dollar}", "{", "{lcub}", "}", "{rcub}")
	unnamed = strings.NewReplacer("{dollar}", "$", "{lcub}", "{", "{rcub}", "}", "{bsol}", `\`)
	blanked = strings.NewReplacer("{", "{lcub}", "}", "{rcub}", `\`, "{bsol}", " ", `\`)
)

// backslashed writes blanks as backslashes.
func backslashed(text string) string { return blanked.Replace(text) }

func fromBackslashed(text string) string {
	return unnamed.Replace(strings.ReplaceAll(text, `\`, " "))
}

// mnemonic writes the subfields of a field, each after a dollar sign.
func (f *field) mnemonic() string {
	var b strings.Builder
	for _, s := range f.subfields {
		b.WriteString("$" + s.code + named.Replace(s.value))
	}
	return b.String()
}

// subfieldsIn reads what mnemonic writes. Text before the first dollar sign is
// left out.
func subfieldsIn(text string) []subfield {
	var all []subfield
	_, text, found := strings.Cut(text, "$")
	for found {
		var part string
		part, text, found = strings.Cut(text, "$")
		_, size := utf8.DecodeRuneInString(part)
		all = append(all, subfield{code: part[:size], value: unnamed.Replace(part[size:])})
	}
	return all
}

// indicatorsIn reads two indicators; what is missing is blank.
func indicatorsIn(text string) [2]string {
	pair := [2]string{" ", " "}
	for n, r := range []rune(fromBackslashed(text)) {
		if n < len(pair) {
			pair[n] = string(r)
		}
	}
	return pair
}
