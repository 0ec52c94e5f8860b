package transit

// links are the references that the published evaluator follows: a column of
// one table names a row of another by the column of the same name.
var links = [...]struct{ source, column, target string }{
	{routesFile, "agency_id", "agency.txt"},
	{tripsFile, "route_id", routesFile},
	{tripsFile, "service_id", "calendar.txt"},
	{stopTimesFile, "trip_id", tripsFile},
	{stopTimesFile, "stop_id", stopsFile},
	{"fare_rules.txt", "route_id", routesFile},
	{"directions.txt", "route_id", routesFile},
}

// referencesKept is the share of references that lead to a row of the
// candidate: those of the candidate and once more those of the reference.
func referencesKept(ref, got feed) float64 {
	if len(got) == 0 {
		return 0
	}
	found, all := 0, 0
	for _, link := range links {
		if !got.has(link.source) || !got.has(link.target) {
			continue
		}
		ids := map[string]bool{}
		for _, id := range got.table(link.target).values(link.column) {
			ids[id] = true
		}
		var sources []*published
		if len(ids) > 0 {
			sources = append(sources, got.table(link.source))
		}
		if ref.has(link.source) && ref.has(link.target) {
			sources = append(sources, ref.table(link.source))
		}
		for _, source := range sources {
			for _, id := range source.values(link.column) {
				all++
				if ids[id] {
					found++
				}
			}
		}
	}
	if all == 0 {
		return 1
	}
	return float64(found) / float64(all)
}

// values are a column's values that are not empty.
func (t *published) values(column string) (values []string) {
	k := t.column(column)
	for _, row := range t.rows {
		if v := cell(row, k); v != "" {
			values = append(values, v)
		}
	}
	return values
}
