package viewer

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"agentd/results"
)

// pageLength is how many interactions a page of a search has.
const pageLength = 50

// search makes the page that finds interactions.
func (v *Viewer) search(r *http.Request) (view, error) {
	asked := r.URL.Query()
	q := results.Search{
		Experiment: asked.Get("experiment"), Domain: asked.Get("domain"), Tool: asked.Get("tool"),
		File: asked.Get("file"), Error: asked.Get("error"), Failure: asked.Get("failure"),
	}
	if before := asked.Get("before"); before != "" {
		var err error
		if q.Before, err = strconv.ParseInt(before, 10, 64); err != nil || q.Before < 1 {
			return view{}, problem{http.StatusBadRequest, fmt.Sprintf("before=%q is not a number of an interaction.", before)}
		}
	}
	all, err := v.store.Search(r.Context(), q, pageLength+1)
	if err != nil {
		return view{}, err
	}
	experiments, err := v.store.Experiments(r.Context())
	if err != nil {
		return view{}, err
	}
	page := searchPage{Search: q, Experiments: experiments, AnyFailure: results.AnyFailure, Found: all}
	if len(all) > pageLength {
		page.Found = all[:pageLength]
		page.NextPage = searchAddress(q, all[pageLength-1].ID)
	}
	if q.Before > 0 {
		page.FirstPage = searchAddress(q, 0)
	}
	return view{Template: "search", Title: "Search", Trail: []link{experimentsLink}, Data: page}, nil
}

type searchPage struct {
	results.Search
	Experiments         []results.Experiment
	AnyFailure          string
	Found               []results.Found
	FirstPage, NextPage string // empty where there is none
}

// Asked describes the search; empty for all interactions.
func (p searchPage) Asked() string {
	var parts []string
	for _, one := range [][2]string{
		{"tool", p.Tool}, {"file", p.File}, {"error", p.Error}, {"domain", p.Domain}, {"experiment", p.Experiment}, {"failure", p.Failure},
	} {
		if one[1] != "" {
			parts = append(parts, one[0]+" "+one[1])
		}
	}
	return strings.Join(parts, ", ")
}

func searchAddress(q results.Search, before int64) string {
	values := url.Values{}
	for name, value := range map[string]string{
		"experiment": q.Experiment, "domain": q.Domain, "tool": q.Tool, "file": q.File, "error": q.Error, "failure": q.Failure,
	} {
		if value != "" {
			values.Set(name, value)
		}
	}
	if before > 0 {
		values.Set("before", strconv.FormatInt(before, 10))
	}
	return "/search?" + values.Encode()
}
