package transit

import (
	"slices"

	"agentd/domains"
)

// The tables that the scores and the edits know by name.
const (
	stopsFile       = "stops.txt"
	routesFile      = "routes.txt"
	tripsFile       = "trips.txt"
	stopTimesFile   = "stop_times.txt"
	shapesFile      = "shapes.txt"
	frequenciesFile = "frequencies.txt"
	transfersFile   = "transfers.txt"
)

// label is how a practitioner calls the row of a table: words, each followed by
// the value of a column.
type label []struct{ words, column string }

// knownTable says what the scores know about a table of the format.
type knownTable struct {
	keys     []string // by which the published evaluator knows a row; none where it compares sets of rows
	required string   // the column that no row may leave empty
	label    label
}

var knownTables = map[string]knownTable{
	"agency.txt": {[]string{"agency_id"}, "agency_name", label{{"agency ", "agency_id"}}},
	routesFile:   {[]string{"route_id"}, "route_id", label{{"route ", "route_id"}}},
	stopsFile:    {[]string{"stop_id"}, "stop_id", label{{"stop ", "stop_id"}}},
	tripsFile:    {[]string{"trip_id"}, "trip_id", label{{"trip ", "trip_id"}}},
	stopTimesFile: {
		[]string{"trip_id", "stop_sequence"}, "trip_id", label{{"stop time ", "stop_sequence"}, {" of trip ", "trip_id"}},
	},
	"calendar.txt": {[]string{"service_id"}, "service_id", label{{"service ", "service_id"}}},
	"calendar_dates.txt": {
		[]string{"service_id", "date"}, "service_id", label{{"exception on ", "date"}, {" to service ", "service_id"}},
	},
	"fare_attributes.txt": {[]string{"fare_id"}, "fare_id", label{{"fare ", "fare_id"}}},
	"fare_rules.txt": {
		[]string{"fare_id", "route_id", "origin_id", "destination_id"}, "fare_id",
		label{
			{"rule of fare ", "fare_id"}, {" on route ", "route_id"}, {" from zone ", "origin_id"},
			{" to zone ", "destination_id"}, {" through zone ", "contains_id"},
		},
	},
	frequenciesFile: {
		[]string{"trip_id", "start_time"}, "trip_id", label{{"frequency of trip ", "trip_id"}, {" from ", "start_time"}},
	},
	shapesFile: {
		[]string{"shape_id", "shape_pt_sequence"}, "shape_id",
		label{{"point ", "shape_pt_sequence"}, {" of shape ", "shape_id"}},
	},
	"directions.txt":   {keys: []string{"route_id", "direction_id"}, required: "route_id"},
	transfersFile:      {nil, "transfer_type", label{{"transfer from ", "from_stop_id"}, {" to ", "to_stop_id"}}},
	"feed_info.txt":    {required: "feed_publisher_name"},
	"attributions.txt": {required: "organization_name"},
	"pathways.txt":     {required: "pathway_id"},
	"levels.txt":       {required: "level_id"},
	"translations.txt": {required: "table_name"},
}

// isOfGTFS reports whether an element is a row of a GTFS table that has what the
// reference of GTFS requires of every row. Any table of comma-separated values can be
// read as one.
func isOfGTFS(e *domains.Element) bool {
	required := knownTables[e.Value(tableField)].required
	return required != "" && slices.ContainsFunc(e.Fields, func(f domains.Field) bool { return f.Name == required })
}
