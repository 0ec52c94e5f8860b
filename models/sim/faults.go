package sim

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"agentd/models/wire"
)

// FaultsHeader of a request sets the rate of passing faults, from 0 to 1, instead of the
// server's own. The rate may be followed by the only fault to use, as in "0.5 429".
const FaultsHeader = "Sim-Faults"

// fault is what a server does instead of answering a request.
type fault uint8

const (
	none        fault = iota
	busy              // 429 with Retry-After
	broken            // 500 in the protocol's form
	unavailable       // 503 with a page
	stalled           // no answer, and the connection is closed later
	reset             // the connection is reset
	cutOff            // half an answer
	webpage           // a page with status 200
	noChoices         // an answer without choices, charged for
	errorInside       // an error with status 200

	tooLong        // 400: the conversation does not fit
	filtered       // 400: the content is not allowed
	filteredAnswer // an answer that the filter removed
	truncated      // an answer that ended at the output limit
)

// namedFaults are the faults that a request may ask for by name.
func namedFaults() map[string]fault {
	return map[string]fault{"429": busy, "500": broken, "503": unavailable, "reset": reset, "cut-off": cutOff, "error-inside": errorInside}
}

// faults decides which requests get a fault. The decision depends on the seed, the request and
// how often it came before, not on the order of different requests.
type faults struct {
	options Options
	mu      sync.Mutex
	seen    map[uint64]uint64 // number of times each request came, by hash
}

// of returns the fault for a request.
func (f *faults) of(r *http.Request, body []byte) (fault, error) {
	rate, only := f.options.Faults, none
	if said := r.Header.Get(FaultsHeader); said != "" {
		number, name, named := strings.Cut(said, " ")
		var err error
		if rate, err = strconv.ParseFloat(number, 64); err != nil || rate < 0 || rate > 1 {
			return none, fmt.Errorf("%s: %q is not a rate between 0 and 1", FaultsHeader, number)
		}
		if only = namedFaults()[name]; named && only == none {
			return none, fmt.Errorf("%s: there is no fault %q; there are %s", FaultsHeader, name, strings.Join(slices.Sorted(maps.Keys(namedFaults())), ", "))
		}
	}
	if rate+f.options.LastingFaults == 0 {
		return none, nil
	}
	hash := fnv.New64a()
	hash.Write(body)
	sum := hash.Sum64()
	f.mu.Lock()
	f.seen[sum]++
	times := f.seen[sum]
	f.mu.Unlock()
	random := rand.New(rand.NewPCG(sum, f.options.Seed<<32+times))
	switch chance := random.Float64(); {
	case chance < rate && only != none:
		return only, nil
	case chance < rate:
		return busy + fault(random.IntN(int(errorInside-busy+1))), nil
	case chance < rate+f.options.LastingFaults:
		return tooLong + fault(random.IntN(int(truncated-tooLong+1))), nil
	}
	return none, nil
}

// refusals are the faults that are reported as errors of the protocol.
func refusals() map[fault]*refusal {
	return map[fault]*refusal{
		busy:        {http.StatusTooManyRequests, "rate_limit_exceeded", "slow down"},
		broken:      {http.StatusInternalServerError, "server_error", "something went wrong"},
		errorInside: {http.StatusBadGateway, "502", "the provider has gone away"},
		tooLong:     {http.StatusBadRequest, "context_length_exceeded", "the conversation exceeds the maximum context length"},
		filtered:    {http.StatusBadRequest, "content_filter", "the content is not allowed: content_filter"},
	}
}

// play answers with a fault.
func (f *faults) play(w http.ResponseWriter, r *http.Request, d dialect, asked *request, met fault, whole answer) {
	switch met {
	case errorInside:
		reply(w, http.StatusOK, d.failure(refusals()[met]))
		return
	case busy:
		w.Header().Set("Retry-After-Ms", strconv.FormatInt(retryIn.Milliseconds(), 10))
		w.Header().Set("Retry-After", "1")
		fallthrough
	case broken, tooLong, filtered:
		refuse(w, d, refusals()[met])
		return
	case unavailable:
		page(w, http.StatusServiceUnavailable)
		return
	case webpage:
		page(w, http.StatusOK)
		return
	case stalled:
		select {
		case <-time.After(f.options.Stall):
		case <-r.Context().Done():
		}
		fallthrough
	case reset:
		hangUp(w)
		return
	case noChoices:
		whole.Empty = true
	case filteredAnswer:
		whole.Message, whole.FinishReason = say(""), wire.Filter
	case truncated:
		cut(&whole.Message)
		whole.FinishReason = wire.Length
	}
	send(w, d, asked, whole, f.options.Pace, met == cutOff)
}

// cut removes the second half of a message.
func cut(m *message) {
	m.Content, _ = halves(m.Content)
	for i := range m.ToolCalls {
		m.ToolCalls[i].Arguments, _ = halves(m.ToolCalls[i].Arguments)
	}
}

// page answers as a proxy in front of the server does.
func page(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	fmt.Fprintln(w, "<!DOCTYPE html><title>Please try again later</title>")
}

// hangUp ends the connection without an answer.
func hangUp(w http.ResponseWriter) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // the connection is closed already
	}
	if tcp, ok := connection.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // so that the client sees a reset
	}
	_ = connection.Close()
}
