package models

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// outcomes is a model that answers, or fails, as it is told to, in order; the last one
// over and over.
type outcomes struct {
	mu    sync.Mutex
	errs  []error
	asked int
	hold  chan struct{} // if not nil, requests wait for it
}

func (*outcomes) Name() string { return "m" }

func (o *outcomes) Complete(context.Context, Request) (Response, error) {
	o.mu.Lock()
	err := o.errs[min(o.asked, len(o.errs)-1)]
	o.asked++
	hold := o.hold
	o.mu.Unlock()
	if hold != nil {
		<-hold
	}
	return Response{}, err
}

func refusedWith(status int, kind ErrorKind) error {
	return &Error{Kind: kind, Status: status, Model: "m", Err: errors.New("the server's words")}
}

func TestAGuardEndsAnArmThatIsNotServed(t *testing.T) {
	t.Parallel()
	bad, key, gone := refusedWith(400, Refused), refusedWith(401, Denied), refusedWith(404, NotFound)
	busy, fault := refusedWith(429, RateLimited), refusedWith(503, ServerFault)
	for name, c := range map[string]struct {
		errs  []error
		asked int // of ten requests
	}{
		"three refusals with one status":               {[]error{bad}, 3},
		"a wrong path":                                 {[]error{gone}, 3},
		"an answer, then refusals of single requests":  {[]error{nil, bad}, 10},
		"an answer, then no key any more":              {[]error{nil, key}, 4},
		"an answer among refusals":                     {[]error{bad, bad, nil, bad}, 10},
		"another status begins anew":                   {[]error{bad, bad, gone, bad, bad}, 6},
		"a server that is busy or broken refuses none": {[]error{busy, fault}, 10},
		"faults in between do not end a row":           {[]error{bad, fault, bad, fault, bad}, 5},
	} {
		model := &outcomes{errs: c.errs}
		guard := NewGuard(model)
		var last error
		for range 10 {
			_, last = guard.Complete(t.Context(), Request{})
		}
		if model.asked != c.asked {
			t.Errorf("%s: %d requests were made, want %d", name, model.asked, c.asked)
		}
		var ended *Error
		if c.asked < 10 && (!errors.As(last, &ended) || ended.Kind != Ended || !ended.Kind.EndsWork() ||
			!strings.Contains(last.Error(), "the server's words")) {
			t.Errorf("%s: the arm ends with %v", name, last)
		}
	}
}

func TestAGuardLetsFewRequestsThroughAtFirst(t *testing.T) {
	t.Parallel()
	model := &outcomes{errs: []error{refusedWith(400, BadSetting)}, hold: make(chan struct{})}
	guard := NewGuard(model)
	var all sync.WaitGroup
	errs := make(chan error, 20)
	for range 20 {
		all.Go(func() {
			_, err := guard.Complete(t.Context(), Request{})
			errs <- err
		})
	}
	time.Sleep(10 * time.Millisecond) // so that more could have begun
	close(model.hold)
	all.Wait()
	close(errs)
	if model.asked != RefusalsThatEnd {
		t.Errorf("%d requests were made, want %d", model.asked, RefusalsThatEnd)
	}
	ended := 0
	for err := range errs {
		var failure *Error
		if errors.As(err, &failure) && failure.Kind == Ended {
			ended++
		}
	}
	if ended != 20-RefusalsThatEnd {
		t.Errorf("%d requests were told that the arm has ended", ended)
	}
}

func TestAGuardWaitsNoLongerThanItsContext(t *testing.T) {
	t.Parallel()
	model := &outcomes{errs: []error{nil}, hold: make(chan struct{})}
	guard := NewGuard(model)
	var under sync.WaitGroup
	for range RefusalsThatEnd {
		under.Go(func() { _, _ = guard.Complete(t.Context(), Request{}) })
	}
	for {
		model.mu.Lock()
		asked := model.asked
		model.mu.Unlock()
		if asked == RefusalsThatEnd {
			break
		}
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := guard.Complete(ctx, Request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(model.hold)
	under.Wait()
}
