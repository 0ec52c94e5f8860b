package gateway

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"agentd/models"
	"agentd/models/wire"
	"agentd/models/wire/responses"
)

// routes are those of the dialects of tests.
var routes = map[string]string{
	"chat": toChat, "responses": toResponse, "stateless": toResponse, "messages": toMessages, "gemini": toGemini,
}

// answerTo posts a request in one of the dialects and returns the status and the answer. If
// the length is not known, the request is sent in chunks.
func (d *desk) answerTo(t testing.TB, dialect, body string, known bool) (int, string) {
	method, path, _ := strings.Cut(routes[dialect], " ")
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if !known {
		r.ContentLength = -1
	}
	w := httptest.NewRecorder()
	d.mux.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// Bounds of what is looked at in a request.
const maxMembers, maxElements = 1000, 10_000

// filled is a request of nearly the most bytes that one may have, made of as many
// parts as fit between a beginning and an end.
func filled(before, part, after string) string {
	return before + strings.TrimSuffix(strings.Repeat(part, (maxRequest-len(before)-len(after))/len(part)), ",") + after
}

// contrived are requests that make the most of their bytes, by dialect.
func contrived() map[string]map[string]string {
	list := func(n int, element string) string { return strings.TrimSuffix(strings.Repeat(element+",", n), ",") }
	big := strings.Repeat("x", maxRequest/maxElements-100)
	return map[string]map[string]string{
		"chat": {
			"empty messages":        filled(`{"messages":[`, `{},`, `]}`),
			"as many as may be":     `{"messages":[` + list(maxElements, `{"role":"user","content":"`+big+`"}`) + `]}`,
			"answers of tools":      `{"messages":[` + list(maxElements, `{"role":"tool","tool_call_id":"x","content":"`+big+`"}`) + `]}`,
			"a long text":           filled(`{"messages":[{"role":"user","content":"`, `x`, `"}]}`),
			"a text of escapes":     filled(`{"messages":[{"role":"user","content":"`, `\u0000`, `"}]}`),
			"a long identifier":     filled(`{"messages":[{"role":"tool","tool_call_id":"`, `x`, `"}]}`),
			"a picture":             filled(`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:`, `A`, `"}}]}]}`),
			"parts":                 `{"messages":[{"role":"user","content":[` + list(60_000, `{"type":"text","text":"a"}`) + `]}]}`,
			"members of a message":  `{"messages":[{` + list(150_000, `"a":1`) + `}]}`,
			"objects in each other": `{"messages":[` + list(2000, strings.Repeat(`{"a":`, 90)+"1"+strings.Repeat("}", 90)) + `]}`,
			"an unknown member":     filled(`{"messages":[{}],"a":"`, `x`, `"}`),
			"spaces":                filled(`{"messages":[{}]`, ` `, `}`),
			"brackets":              strings.Repeat("[", maxRequest),
			"no end":                filled(`{"messages":[`, `{},`, ``),
		},
		"responses": {
			"empty items":           filled(`{"input":[`, `{},`, `]}`),
			"as many as may be":     `{"input":[` + list(maxElements, `{"role":"user","content":"`+big+`"}`) + `]}`,
			"calls":                 `{"input":[` + list(maxElements, `{"type":"function_call","call_id":"1","name":"f","arguments":"`+big+`"}`) + `]}`,
			"small items":           `{"input":[` + list(maxElements, `{"role":"user","content":""}`) + `]}`,
			"a long text":           filled(`{"input":"`, `x`, `"}`),
			"a text of escapes":     filled(`{"input":[{"role":"user","content":"`, `\n`, `"}]}`),
			"a picture":             filled(`{"input":[{"role":"user","content":[{"type":"input_image","image_url":"data:`, `A`, `"}]}]}`),
			"pictures":              `{"input":[{"role":"user","content":[` + list(maxElements, `{"type":"input_image","image_url":"data:`+big+`"}`) + `]}]}`,
			"small parts":           `{"input":[{"role":"user","content":[` + list(maxElements, `{"type":"input_text"}`) + `]}]}`,
			"long instructions":     filled(`{"input":"x","instructions":"`, `x`, `"}`),
			"tools":                 `{"input":"x","tools":[` + list(maxElements, `{"type":"function","name":"f","description":"`+big+`"}`) + `]}`,
			"a long schema":         filled(`{"input":"x","tools":[{"type":"function","name":"f","parameters":{"a":"`, `x`, `"}}]}`),
			"a long format":         filled(`{"input":"x","text":{"format":{"type":"json_schema","name":"n","schema":"`, `x`, `"}}}`),
			"members of an item":    `{"input":[{` + list(150_000, `"a":1`) + `}]}`,
			"what is not looked at": filled(`{"input":"x","metadata":"`, `x`, `"}`),
		},
		// These go on verbatim, and so do those of chat.
		"messages": {
			"blocks":       `{"messages":[{"role":"user","content":[` + list(maxElements, `{"type":"tool_result","tool_use_id":"1","content":"`+big+`"}`) + `]}]}`,
			"a long text":  filled(`{"messages":[{"role":"user","content":"`, `\n`, `"}]}`),
			"tools":        `{"messages":[{"role":"user","content":"x"}],"tools":[` + list(maxElements, `{"name":"`+big+`"},{"type":"web_search_1"}`) + `]}`,
			"a long thing": filled(`{"messages":[{"role":"user","content":"x"}],"thinking":"`, `x`, `"}`),
		},
		"gemini": {
			"answers":        `{"contents":[{"role":"user","parts":[` + list(maxElements, `{"functionResponse":{"name":"f","response":{"output":"`+big+`"}}}`) + `]}]}`,
			"a long setting": filled(`{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"temperature":1,"a":"`, `x`, `"}}`),
		},
		"stateless": {
			"outputs": `{"store":false,"input":[` + list(maxElements, `{"type":"function_call_output","call_id":"1","output":"`+big+`"}`) + `]}`,
		},
	}
}

// scale is a model that weighs what is in memory while it is asked.
type scale struct {
	*models.Guard
	live uint64
}

func (s *scale) Complete(_ context.Context, r models.Request) (models.Response, error) {
	s.live = live()
	runtime.KeepAlive(r)
	return models.Response{}, nil
}

// live is how many bytes are in use, garbage not included.
func live() uint64 {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return now.HeapAlloc
}

// A request takes less than four bytes of memory for each of its own: at most three
// here, garbage included, of which two are still in use when the model is asked, and
// one for the copy that the model's client makes. What comes on top is of the ten
// thousand elements that a list may have, and does not grow with the request. The test
// does not run next to others, whose memory would be counted.
func TestARequestsMemoryIsBoundedByItsBytes(t *testing.T) {
	if racing {
		t.Skip("the race detector takes memory of its own")
	}
	const perByte, perByteInUse = 3, 2
	const elements, elementsInUse = 24 << 20, 6 << 20
	speaks := map[string]models.API{"chat": models.Chat, "messages": models.Messages, "gemini": models.Gemini, "stateless": models.Responses}
	for dialect, requests := range contrived() {
		for name, body := range requests {
			guard, _ := opened(t, http.NotFoundHandler(), models.Spec{API: cmp.Or(speaks[dialect], models.Chat)}).(*models.Guard)
			m := &scale{Guard: guard}
			s := newDesk(t, m)
			inUse := live()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			status, _ := s.answerTo(t, dialect, body, true)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > uint64(perByte*len(body)+elements) {
				t.Errorf("%s, %s: %d bytes of memory for %d, answered with %d", dialect, name, used, len(body), status)
			}
			if m.live > inUse+uint64(perByteInUse*len(body)+elementsInUse) {
				t.Errorf("%s, %s: %d bytes in use for %d", dialect, name, m.live-inUse, len(body))
			}
			runtime.KeepAlive(body)
		}
	}
}

// waiting is a model that answers when it is told to, and knows how many wait for it.
type waiting struct {
	mu        sync.Mutex
	atOnce    int // that are still answered at once
	now, most int
	arrived   chan struct{} // one for each that asks
	answer    chan struct{} // closed to answer
}

func (*waiting) Name() string { return "waiting" }

func (w *waiting) Complete(ctx context.Context, _ models.Request) (models.Response, error) {
	w.mu.Lock()
	if w.atOnce > 0 {
		w.atOnce--
		w.mu.Unlock()
		return models.Response{FinishReason: "stop"}, nil
	}
	w.now++
	w.most = max(w.most, w.now)
	w.mu.Unlock()
	w.arrived <- struct{}{}
	select {
	case <-w.answer:
	case <-ctx.Done():
	}
	w.mu.Lock()
	w.now--
	w.mu.Unlock()
	return models.Response{FinishReason: "stop"}, ctx.Err()
}

// A command may ask as often as it likes at the same time; agentd takes in as much as
// there is room for, and answers all in the end.
func TestRequestsWaitForRoom(t *testing.T) {
	t.Parallel()
	text := func(size int) string {
		return `{"messages":[{"role":"user","content":"` + strings.Repeat("x", size) + `"}]}`
	}
	for name, c := range map[string]struct {
		body  string
		known bool
		most  int
	}{
		"large ones":          {text(maxRequest - 100), true, maxRequests / maxRequest},
		"smaller ones":        {text(maxRequest/2 - 100), true, 2 * maxRequests / maxRequest},
		"small ones":          {text(10), true, maxRequests / minRequest},
		"of an unknown size":  {text(10), false, maxRequests / maxRequest},
		"that name something": {`{"previous_response_id":"ID","input":"x","store":false}`, true, maxNamed / responses.MaxStored},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &waiting{arrived: make(chan struct{}, 100), answer: make(chan struct{})}
			s, dialect := newDesk(t, m), "chat"
			if strings.Contains(c.body, "input") {
				dialect = "responses"
				m.atOnce = 1
				_, first := s.answerTo(t, dialect, `{"input":"`+strings.Repeat("x", responses.MaxStored-1000)+`"}`, true)
				c.body = strings.Replace(c.body, "ID", value(t, first)["id"].(string), 1)
			}
			var group sync.WaitGroup
			for range c.most + 3 {
				group.Go(func() {
					if status, answer := s.answerTo(t, dialect, c.body, c.known); status != http.StatusOK {
						t.Errorf("%d %.200s", status, answer)
					}
				})
			}
			for range c.most {
				<-m.arrived
			}
			close(m.answer)
			group.Wait()
			if m.most > c.most {
				t.Errorf("%d requests were in memory, want %d at most", m.most, c.most)
			}
		})
	}
}

// A request that waits for room ends with the command.
func TestAWaitForRoomEndsWithTheCommand(t *testing.T) {
	t.Parallel()
	s := newDesk(t, &model{})
	if err := s.intake.requests.Acquire(t.Context(), maxRequests); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, Path+"/chat/completions", strings.NewReader(`{"messages":[{}]}`))
	w := httptest.NewRecorder()
	s.mux.ServeHTTP(w, r)
	if w.Code == http.StatusOK {
		t.Error("it was answered")
	}
	s.intake.requests.Release(maxRequests)
	if status, answer := s.answerTo(t, "chat", `{"messages":[{"role":"user","content":"x"}]}`, true); status != http.StatusOK {
		t.Errorf("the room was not given back: %d %s", status, answer)
	}
}

func TestRequestsThatAreTooMuch(t *testing.T) {
	t.Parallel()
	const one = `{"messages":[{"role":"user","content":"x"}]}`
	list := func(n int, element string) string { return strings.TrimSuffix(strings.Repeat(element+",", n), ",") }
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for name, c := range map[string]struct {
		dialect, body string
		known         bool
		status        int
		says          string
	}{
		"a byte too many":               {"chat", one + strings.Repeat(" ", maxRequest-len(one)+1), true, 413, "more than 16777216"},
		"a byte too many, in chunks":    {"chat", one + strings.Repeat(" ", maxRequest-len(one)+1), false, 413, "more than 16777216"},
		"as many bytes as may be":       {"chat", one + strings.Repeat(" ", maxRequest-len(one)), true, 200, ""},
		"as many, in chunks":            {"chat", one + strings.Repeat(" ", maxRequest-len(one)), false, 200, ""},
		"pictures of some megabytes":    {"chat", `{"messages":[{"role":"user","content":[` + list(3, `{"type":"image_url","image_url":{"url":"data:image/png;base64,`+strings.Repeat("A", 5<<20)+`"}}`) + `]}]}`, true, 200, ""},
		"a value too many":              {"chat", `{"messages":[{"role":"user"}],"a":[` + list(maxValues-3, "1") + `]}`, true, 400, "more than 200000 values"},
		"as many values as may be":      {"chat", `{"messages":[{"role":"user"}],"a":[` + list(maxValues-4, "1") + `]}`, true, 200, ""},
		"too deep":                      {"chat", `{"messages":[{"role":"user"}],"a":` + nested(maxDepth) + `}`, true, 400, "100 deep"},
		"as deep as may be":             {"chat", `{"messages":[{"role":"user"}],"a":` + nested(maxDepth-1) + `}`, true, 200, ""},
		"much too deep":                 {"chat", `{"messages":` + strings.Repeat("[", 1<<20), true, 400, "100 deep"},
		"a message too many":            {"chat", `{"messages":[` + list(maxElements+1, `{"role":"user"}`) + `]}`, true, 400, "messages has more than 10000 elements"},
		"a member too many":             {"chat", `{"messages":[{"role":"user"}]` + members0(maxMembers) + `}`, true, 400, "1000 others"},
		"a long name":                   {"chat", `{"messages":[{"role":"user"}],"` + strings.Repeat("x", wire.MaxWord+1) + `":1}`, true, 400, "10000 bytes"},
		"an item too many":              {"responses", `{"input":[` + list(maxElements+1, `{"role":"user","content":"x"}`) + `]}`, true, 400, "input has more than 10000 elements"},
		"a part too many":               {"responses", `{"input":[{"role":"user","content":[` + list(maxElements+1, `{"type":"input_text","text":"x"}`) + `]}]}`, true, 400, "input[0].content has more than 10000 elements"},
		"a long role":                   {"responses", `{"input":[{"role":"` + strings.Repeat("x", wire.MaxWord+1) + `"}]}`, true, 400, "is not user, assistant, system or developer"},
		"a long format":                 {"responses", `{"input":"x","text":"` + strings.Repeat("x", wire.MaxSetting) + `"}`, true, 400, "text has more than 262144 bytes"},
		"instructions that are no text": {"responses", `{"input":"x","instructions":{}}`, true, 400, "instructions is of the wrong type: object"},
		"messages that are no list":     {"chat", `{"messages":"x"}`, true, 400, "messages is of the wrong type: string"},
		"nothing in messages":           {"chat", `{}`, true, 400, "the request has no messages"},
		"no messages":                   {"chat", `{"messages":[]}`, true, 400, "the request has no messages"},
		"a message that is none":        {"chat", `{"messages":[{"role":"user"},5]}`, true, 400, "messages[1] is of the wrong type: number"},
		"a role that is a number":       {"chat", `{"messages":[{"role":5}]}`, true, 400, "messages[0].role is of the wrong type: number"},
	} {
		m := &model{}
		s := newDesk(t, m)
		status, answer := s.answerTo(t, c.dialect, c.body, c.known)
		if status != c.status || !strings.Contains(answer, c.says) {
			t.Errorf("%s: %d %.300s", name, status, answer)
		}
		if (len(m.asked) == 1) != (c.status == 200) {
			t.Errorf("%s: the model was asked %d times", name, len(m.asked))
		}
	}
}

// members0 are so many members of an object, after another.
func members0(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"m%d":1`, i)
	}
	return b.String()
}
