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
	if len(got.names) == 0 {
		return 0
	}
	found, all := 0, 0
	for _, link := range links {
		if !got.has(link.source) || !got.has(link.target) {
			continue
		}
		ids := got.table(link.target).values(link.column)
		if len(got.table(link.source).rows) > 0 && len(ids) > 0 {
			f, a := got.table(link.source).leadTo(link.column, ids)
			found, all = found+f, all+a
		}
		if ref.has(link.source) && ref.has(link.target) {
			f, a := ref.table(link.source).leadTo(link.column, ids)
			found, all = found+f, all+a
		}
	}
	if all == 0 {
		return 1
	}
	return float64(found) / float64(all)
}

// values is the set of a column's values that are not empty.
func (t *published) values(column string) map[string]bool {
	k := t.column(column)
	values := map[string]bool{}
	for _, row := range t.rows {
		if v := cell(row, k); v != "" {
			values[v] = true
		}
	}
	return values
}

// leadTo counts the values of a column, and those among ids.
func (t *published) leadTo(column string, ids map[string]bool) (found, all int) {
	k := t.column(column)
	for _, row := range t.rows {
		v := cell(row, k)
		if v == "" {
			continue
		}
		all++
		if ids[v] {
			found++
		}
	}
	return found, all
}
