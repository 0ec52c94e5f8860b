package libcatalog

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	fixedField = regexp.MustCompile(`\stag\s*=\s*["']008["'][^<>]*>([^<>]*)<`)
	fieldStart = regexp.MustCompile(`<(?:\w+:)?(?:controlfield|datafield)\b`)
)

// year is that of publication: date 1 of control field 008, if its four characters are digits.
func year(part string) string {
	m := fixedField.FindStringSubmatch(part)
	if m == nil || len(m[1]) < 11 || strings.Trim(m[1][7:11], "0123456789") != "" {
		return ""
	}
	return m[1][7:11]
}

// fields is how many control and data fields a record has.
func fields(part string) string { return strconv.Itoa(len(fieldStart.FindAllString(part, -1))) }
