// Package viewer shows stored results in a browser: experiments, their reports, every
// relay as a curve, and every interaction with its changes of the documents and the same
// step by other arms.
//
// It only reads, so it works during a run, and only answers GET and HEAD. Everything
// written by a model or data set (documents, names, errors) is escaped by html/template.
// In addition, the content security policy blocks any script of theirs (docs/viewer.md).
package viewer

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"sync"
	"time"

	"agentd/domains"
	"agentd/internal/look"
	"agentd/internal/sameorigin"
	"agentd/report"
	"agentd/results"
)

//go:embed templates
var templateFiles embed.FS

//go:embed static
var staticFiles embed.FS

// Options are a viewer's settings.
type Options struct {
	// Lookup finds a domain by its name.
	Lookup func(name string) (domains.Domain, bool)
	// Hosts are the Host headers that are answered; nil for any.
	// sameorigin.LoopbackHosts gives those of a server that only this machine reaches.
	Hosts []string
	// Failed is called with errors that are not the fault of the request; nil for none.
	Failed func(request *http.Request, err error)
}

// Viewer is the handler of all pages.
type Viewer struct {
	store     *results.Store
	options   Options
	pages     *template.Template
	mux       *http.ServeMux
	style     []byte
	reports   *cache[template.HTML]
	overviews *cache[*overview]
	reasons   *cache[[]report.Reason]
	stop      context.CancelFunc
	working   sync.WaitGroup
}

// New returns a viewer of a store. The store must stay open until Close was called.
func New(store *results.Store, options Options) (*Viewer, error) {
	v := &Viewer{store: store, options: options, mux: http.NewServeMux()}
	var err error
	if v.pages, err = template.New("").Funcs(functions).ParseFS(templateFiles, "templates/*.gohtml"); err != nil {
		return nil, fmt.Errorf("reading templates: %w", err)
	}
	v.style = []byte(look.Style())
	ctx, stop := context.WithCancel(context.Background())
	v.stop = stop
	v.reports = newCache(ctx, &v.working, v.buildReport)
	v.overviews = newCache(ctx, &v.working, v.buildOverview)
	v.reasons = newCache(ctx, &v.working, v.buildReasons)
	for pattern, page := range map[string]func(*http.Request) (view, error){
		"/{$}":                       v.experiments,
		"/experiments/{name}":        v.experiment,
		"/experiments/{name}/matrix": v.matrix,
		"/relays/{relay}":            v.relay,
		"/relays/{relay}/{number}":   v.interaction,
		"/search":                    v.search,
	} {
		v.mux.HandleFunc(pattern, v.show(page))
	}
	v.mux.HandleFunc("/relays/{relay}/{number}/picture", v.servePicture)
	v.mux.HandleFunc("/viewer.css", v.static("text/css; charset=utf-8", v.style))
	script, err := staticFiles.ReadFile("static/live.js")
	if err != nil {
		return nil, err
	}
	v.mux.HandleFunc("/live.js", v.static("text/javascript; charset=utf-8", script))
	v.mux.HandleFunc("/", v.show(func(r *http.Request) (view, error) {
		return view{}, problem{http.StatusNotFound, "There is no page " + r.URL.Path + "."}
	}))
	return v, nil
}

// Close ends background work. It must be called after the last request was answered.
func (v *Viewer) Close() {
	v.stop()
	v.working.Wait()
}

// ServeHTTP implements http.Handler.
func (v *Viewer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	refused := sameorigin.Check(r, v.options.Hosts)
	switch {
	case refused != nil:
		v.write(w, r, problem{refused.Status, refused.Reason}.view())
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		v.write(w, r, problem{http.StatusMethodNotAllowed, "Nothing can be changed here: only GET and HEAD are answered."}.view())
	default:
		v.mux.ServeHTTP(w, r)
	}
}

// view is the content of a page.
type view struct {
	Template string
	Title    string
	Trail    []link // the pages above
	Live     bool   // its numbers may change
	Status   int    // 0 for 200
	Data     any
}

type link struct{ Address, Text string }

// problem is an error that a page explains.
type problem struct {
	status int
	text   string
}

func (p problem) Error() string { return p.text }

func (p problem) view() view {
	return view{Template: "problem", Title: http.StatusText(p.status), Status: p.status, Data: p.text}
}

// show makes an http.Handler from a page.
func (v *Viewer) show(page func(*http.Request) (view, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		shown, err := page(r)
		if err != nil {
			shown = v.explain(r, err).view()
		}
		v.write(w, r, shown)
	}
}

// explain returns the page that explains an error.
func (v *Viewer) explain(r *http.Request, err error) problem {
	var known problem
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, results.ErrNotFound):
		return problem{http.StatusNotFound, err.Error()}
	}
	if v.options.Failed != nil && r.Context().Err() == nil {
		v.options.Failed(r, err)
	}
	if errors.Is(err, results.ErrLocked) {
		return problem{http.StatusServiceUnavailable, err.Error()}
	}
	return problem{http.StatusInternalServerError, err.Error()}
}

// write renders the whole page before it sends anything, so that an error still has its status.
func (v *Viewer) write(w http.ResponseWriter, r *http.Request, shown view) {
	var b bytes.Buffer
	if err := v.pages.ExecuteTemplate(&b, shown.Template, shown); err != nil {
		shown = v.explain(r, err).view()
		b.Reset()
		if err := v.pages.ExecuteTemplate(&b, shown.Template, shown); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if shown.Status != 0 {
		w.WriteHeader(shown.Status)
	}
	_, _ = w.Write(b.Bytes()) // the client is gone
}

func (v *Viewer) static(kind string, content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}
