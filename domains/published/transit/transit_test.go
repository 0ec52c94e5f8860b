package transit

import (
	"math"
	"testing"

	"agentd/domains/internal/ratio"
	"agentd/vfs"
)

func TestLongTripsAreComparedByTheirStops(t *testing.T) {
	t.Parallel()
	var long []string
	for range 5000 {
		long = append(long, "A", "B")
	}
	if got := ratio.Bounded(long, long[1:9001], ratio.Limits{Work: mostPairs}, nil); got != 18.0/19 {
		t.Errorf("similarity is %v, want %v", got, 18.0/19)
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{
		"routes.txt": "route_id\nR\n",
		"trips.txt":  "trip_id,route_id,service_id\n1,R,S\n2,R,S\n3,,S\n",
	}
	for _, test := range []struct {
		rule      string
		candidate vfs.Files
		kept      float64
	}{
		{"each reference is looked up twice", reference, 1},
		{"one that leads nowhere", vfs.Files{"routes.txt": "route_id\nR\n", "trips.txt": "trip_id,route_id\n1,R\n2,X\n3,\n"}, 0.75},
		{"those of the reference fail without their table's rows", vfs.Files{"routes.txt": "route_id\n", "trips.txt": "trip_id,route_id\n1,R\n"}, 0},
		{"without the table there are none", vfs.Files{"trips.txt": "trip_id,route_id\n1,R\n"}, 1},
		{"no files at all", vfs.Files{}, 0},
	} {
		ref, _ := Parse(reference)
		got, _ := Parse(test.candidate)
		if kept := referencesKept(ref, got); math.Abs(kept-test.kept) > 1e-12 {
			t.Errorf("%s: %v, want %v", test.rule, kept, test.kept)
		}
	}
}
