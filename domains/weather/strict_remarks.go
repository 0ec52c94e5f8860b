package weather

import "agentd/domains"

// remarkFields divides remarks into the coded groups, each by its name, and what
// is said in words, as one.
func remarkFields(words []string) []domains.Field {
	fields := make([]domains.Field, 0, 8)
	var said []string
	for i := 0; i < len(words); {
		name, n := codedRemark(words[i:])
		if name == "" {
			said = append(said, words[i])
		} else {
			fields = append(fields, domains.Field{Name: name, Value: joined(words[i : i+n])})
		}
		i += n
	}
	if len(said) > 0 {
		fields = append(fields, domains.Field{Name: "remarks", Value: joined(said)})
	}
	return fields
}

// remarkForms are what a practitioner calls coded remarks of one word.
var remarkForms = forms{
	{"maintenance flag", "$", whole(`\$`)},
	{"station type", "A", whole(`AO[12]`)},
	{"sea-level pressure", "S", whole(`SLP.*`)},
	{"exact temperature", "T", whole(`T[0-9]{4}(?:[0-9]{4})?`)},
	{"hourly precipitation", "P", whole(`P[0-9]{4}`)},
	{"24-hour extremes", "4", whole(`4[0-9]{8}`)},
	{"6-hour maximum", "1", whole(`1[0-9]{4}`)},
	{"6-hour minimum", "2", whole(`2[0-9]{4}`)},
	{"pressure tendency", "5", whole(`5[0-9]{4}`)},
	{"precipitation", "6", whole(`6[0-9]{4}`)},
	{"24-hour precipitation", "7", whole(`7[0-9]{4}`)},
	{"ice accretion", "I", whole(`I[0-9]{4}`)},
	{"snow depth", "4", whole(`4/.*`)},
	{"cloud types", "8", whole(`8/.*`)},
}

// codedRemark names the remark that words begin with and tells how many words it
// has; of words of no known form it takes one and has no name.
func codedRemark(words []string) (name string, n int) {
	switch {
	case len(words) > 2 && words[0] == "PK" && words[1] == "WND":
		return "peak wind", 3
	case len(words) > 2 && words[0] == "WSHFT" && words[2] == "FROPA":
		return "wind shift", 3
	case len(words) > 1 && words[0] == "WSHFT":
		return "wind shift", 2
	}
	return remarkForms.name(words[0]), 1
}
