package satellite

import "agentd/domains/edit"

// vocabulary ends a part with the second line of elements. Its name stands in it, and the
// comments directly above.
func vocabulary() edit.Format {
	const second = `^2 [ \w]{5}[ \t]+`
	return edit.Format{
		Document: "list of satellites", Part: "element set", Parts: "element sets",
		Cut:    edit.Headed(`^#`, edit.Enclosed(`^[^#\s]`, `^2 [ \w]{5} `)),
		Remark: "# computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			edit.Has("satellite name", "satellite names", `^(?:0 )?([^#\s12].*?|[12][^ \n].*?)[ \t]*$`),
			edit.HasNumber("inclination", "inclinations", second+`(\d+\.\d+)`),
			edit.HasNumber("ascending node", "ascending nodes", second+`\d+\.\d+[ \t]+(\d+\.\d+)`),
			edit.HasNumber("epoch", "epochs", `^1 [ \w]{5}\w.{10}(\d{5}\.\d+)`),
			edit.Key("launch year", "launch years", `^1 [ \w]{5}\w (\d\d)`),
			edit.Has("catalogue number", "catalogue numbers", `^[12] ([ \w]{5})`),
			edit.Computed("regime", "regimes", regime),
			edit.Computed("epoch date", "epoch dates", epochDate),
			edit.ComputedNumber("period", "periods", period),
			edit.Computed("heights", "pairs of heights", heights),
			edit.Has("comment", "comments", `^#[ \t]*(\S[^\n]*)`),
		},
	}
}
