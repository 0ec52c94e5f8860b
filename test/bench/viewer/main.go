// Command viewer measures the pages of agentd serve on a store: of each kind of
// page the first answer, and the median and the slowest of many. Relays and
// interactions are drawn from the newest experiment.
//
//	go run ./test/bench/viewer -db scale.db
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"agentd/domains/catalog"
	"agentd/report/viewer"
	"agentd/results"
)

var (
	db    = flag.String("db", "agentd.db", "database of the results")
	times = flag.Int("n", 50, "answers of each kind")
)

func main() {
	flag.Parse()
	if err := measure(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func measure(ctx context.Context) (err error) {
	store, err := results.OpenReading(*db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	experiments, err := store.Experiments(ctx)
	if err != nil || len(experiments) == 0 {
		return errors.Join(err, errors.New("no experiment is stored"))
	}
	experiment := experiments[len(experiments)-1]
	relays, err := store.Relays(ctx, experiment.ID)
	if err != nil {
		return err
	}
	pages, err := viewer.New(store, viewer.Options{Lookup: catalog.Lookup})
	if err != nil {
		return err
	}
	defer pages.Close()
	random := rand.New(rand.NewPCG(1, 2))
	relay := func() results.Relay { return relays[random.IntN(len(relays))] }
	at := "/experiments/" + url.PathEscape(experiment.Name)
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "page\tfirst ms\tmedian ms\tslowest ms\tkB\t")
	for _, page := range []struct {
		name    string
		address func() string
	}{
		{"experiments", func() string { return "/" }},
		{"report", func() string { return at }},
		{"matrix", func() string { return at + "/matrix" }},
		{"relay", func() string { return fmt.Sprintf("/relays/%d", relay().ID) }},
		{"interaction, forward", func() string {
			r := relay()
			return fmt.Sprintf("/relays/%d/%d", r.ID, 2*random.IntN(len(r.Schedule))+1)
		}},
		{"interaction, backward", func() string {
			r := relay()
			return fmt.Sprintf("/relays/%d/%d", r.ID, 2*random.IntN(len(r.Schedule))+2)
		}},
		{"search, all", func() string { return "/search" }},
		{"search, a tool", func() string { return "/search?tool=read_file" }},
		{"search, a file", func() string { return "/search?file=.md" }},
		{"search, a domain", func() string { return "/search?domain=" + url.QueryEscape(relay().Domain) }},
		{"search, no such tool", func() string { return "/search?tool=nothing-of-that" }},
		{"search, no such error", func() string { return "/search?error=nothing-of-that" }},
		{"search, no such file", func() string { return "/search?file=nothing-of-that" }},
		{"search, no such failure", func() string { return "/search?failure=nothing-of-that" }},
	} {
		var took []float64
		size := 0
		for range *times {
			answer := httptest.NewRecorder()
			request := httptest.NewRequest(http.MethodGet, page.address(), nil)
			start := time.Now()
			pages.ServeHTTP(answer, request)
			took = append(took, float64(time.Since(start).Microseconds())/1000)
			if answer.Code != http.StatusOK {
				return fmt.Errorf("%s: status %d", request.URL, answer.Code)
			}
			size = answer.Body.Len()
		}
		first := took[0]
		slices.Sort(took)
		fmt.Fprintf(out, "%s\t%.1f\t%.1f\t%.1f\t%d\t\n", page.name, first, took[len(took)/2], took[len(took)-1], size/1000)
	}
	return out.Flush()
}
