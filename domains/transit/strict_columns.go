package transit

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// meaning is how the format reads the values of a column.
type meaning uint8

const (
	wording meaning = iota // identifiers, names and all else
	number
	clock
	colour
)

func meaningOf(column string) meaning {
	switch column {
	case "stop_lat", "stop_lon", "location_type", "wheelchair_boarding",
		"route_type", "route_sort_order", "continuous_pickup", "continuous_drop_off",
		"direction_id", "wheelchair_accessible", "bikes_allowed", "cars_allowed",
		"stop_sequence", "pickup_type", "drop_off_type", "shape_dist_traveled", "timepoint",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "exception_type",
		"price", "payment_method", "transfers", "transfer_duration", "amount",
		"shape_pt_lat", "shape_pt_lon", "shape_pt_sequence",
		"headway_secs", "exact_times", "transfer_type", "min_transfer_time",
		"pathway_mode", "is_bidirectional", "length", "traversal_time", "stair_count", "max_slope", "min_width",
		"level_index":
		return number
	case "start_pickup_drop_off_window", "end_pickup_drop_off_window":
		return clock
	case "route_color", "route_text_color":
		return colour
	}
	if strings.HasSuffix(column, "_time") {
		return clock
	}
	return wording
}

// defaultOf is what the format takes an empty value of a column for, empty if
// for nothing.
func defaultOf(column string) string {
	switch column {
	case "location_type", "wheelchair_boarding", "wheelchair_accessible", "bikes_allowed", "cars_allowed",
		"pickup_type", "drop_off_type", "transfer_type", "exact_times":
		return "0"
	case "timepoint":
		return "1"
	case "route_color":
		return "FFFFFF"
	case "route_text_color":
		return "000000"
	}
	return ""
}

// plainValue writes a value in the one way that is equal for equal values. It
// is empty for what an empty value stands for.
func plainValue(value string, m meaning, empty string) string {
	value = pytext.Strip(value)
	switch m {
	case number:
		value = plain.Number(value)
	case clock:
		value = plainClock(value)
	case colour:
		value = strings.ToUpper(value)
	}
	if value == empty {
		return ""
	}
	return value
}

// plainClock writes a time with two digits of hours or more; what is no time of
// the format stays.
func plainClock(value string) string {
	hours, rest, ok := cutClock(value)
	if !ok {
		return value
	}
	hours = strings.TrimLeft(hours, "0")
	return strings.Repeat("0", max(0, 2-len(hours))) + hours + ":" + rest
}

// cutClock divides a time H:MM:SS of the format into its hours and the rest.
func cutClock(value string) (hours, rest string, ok bool) {
	hours, rest, _ = strings.Cut(value, ":")
	ok = plain.IsDigits(hours) && len(rest) == len("00:00") && rest[2] == ':' &&
		rest[0] <= '5' && rest[3] <= '5' && plain.IsDigits(rest[:2]+rest[3:])
	return hours, rest, ok
}
