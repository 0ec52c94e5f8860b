package geotrack

import "testing"

func TestPosition(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		`<wpt lat="57.112528" lon="-3.720784">`:       `57°06.752'N 003°43.247'W`,
		`<trkpt  lat="-0.5" lon="179.9999999"/>`:      `00°30.000'S 180°00.000'E`,
		`<wpt lon="1" lat="2"><ele>3</ele></wpt>`:     "",
		`<wpt lat="north" lon="1"><ele>3</ele></wpt>`: "",
	} {
		if got := position(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
