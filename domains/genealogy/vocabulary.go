package genealogy

import "agentd/domains/edit"

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
