package genealogy

import (
	"strconv"
	"strings"
	"time"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of the records of persons, families and others.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "family tree", Part: "record", Parts: "records",
		Cut:    edit.Starting(`^\s*0[ \t]+@[^@\n]+@`, `^\s*0[ \t]+TRLR`),
		Remark: "1 NOTE Computed: {}",
		Attributes: []edit.Attribute{
			edit.Key("record type", "record types", `\A\s*0[ \t]+@[^@\n]+@[ \t]+(\w+)`),
			edit.Key("pointer", "pointers", `\A\s*0[ \t]+@([^@\n]+)@`),
			value("name", "names", "1", "NAME"),
			edit.Has("surname", "surnames", `^\s*1[ \t]+NAME[^/\n]*/([^/\n]+)/`),
			edit.Has("sex", "sexes", `^\s*1[ \t]+SEX[ \t]+(\w)`),
			edit.ComputedNumber("birth year", "birth years", birthYear), edit.ComputedNumber("age at death", "ages at death", ageAtDeath),
			value("date", "dates", "2", "DATE"), value("place", "places", "2", "PLAC"), value("education", "educations", "1", "EDUC"),
			value("note", "notes", `\d(?:[ \t]+@[^@\n]+@)?`, "NOTE"),
		},
	}
}

// value is the value of the lines with a level and a tag.
func value(name, plural, level, tag string) edit.Attribute {
	return edit.Has(name, plural, `^\s*`+level+`[ \t]+`+tag+`[ \t]+([^\s@][^\n]*[^\s])`)
}

// What a date stands in, directly below its event, and a year.
var (
	birthDate = lazyregexp.New(`(?m)^\s*1[ \t]+BIRT\b.*\n\s*2[ \t]+DATE[ \t]+(.*\S)`)
	deathDate = lazyregexp.New(`(?m)^\s*1[ \t]+DEAT\b.*\n\s*2[ \t]+DATE[ \t]+(.*\S)`)
	fourDigit = lazyregexp.New(`\b\d{4}\b`)
)

// birthYear is the first year of the date directly below BIRT; empty without one.
func birthYear(part string) string {
	if m := birthDate.FindStringSubmatch(part); m != nil {
		return fourDigit.FindString(m[1])
	}
	return ""
}

// ageAtDeath is in completed years, where both days are written in full.
func ageAtDeath(part string) string {
	born, okBorn := dayOf(birthDate.FindStringSubmatch(part))
	died, okDied := dayOf(deathDate.FindStringSubmatch(part))
	if !okBorn || !okDied || died.Before(born) {
		return ""
	}
	years := died.Year() - born.Year()
	if died.Month() < born.Month() || died.Month() == born.Month() && died.Day() < born.Day() {
		years--
	}
	return strconv.Itoa(years)
}

func dayOf(found []string) (time.Time, bool) {
	if found == nil {
		return time.Time{}, false
	}
	day, month, _ := strings.Cut(found[1], " ")
	month, year, _ := strings.Cut(month, " ")
	if month == "" {
		return time.Time{}, false
	}
	at, err := time.Parse("2 Jan 2006", day+" "+month[:1]+strings.ToLower(month[1:])+" "+year)
	return at, err == nil
}
