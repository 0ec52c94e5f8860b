package models

import (
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"agentd/models/wire"
)

// A server that points elsewhere gets no second request out of us, and neither does
// the address it points to.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	for name, spec := range map[string]Spec{
		"a bearer token":        {KeyEnv: testKeyEnv},
		"Azure's key":           {KeyEnv: testKeyEnv, APIVersion: "2024-10-21"},
		"headers with a secret": {Headers: map[string]string{"X-Token": "${" + testKeyEnv + "}"}},
	} {
		for _, code := range []int{300, 301, 302, 303, 304, 307, 308} {
			var followed atomic.Int32
			elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				followed.Add(1)
				answered(w, r)
			}))
			t.Cleanup(elsewhere.Close)
			s := serve(t, status(code, "", "Location", elsewhere.URL+"/v1?k="+testKey))
			spec.Name, spec.BaseURL = "m", s.URL
			_, waits, err := ask(t, spec, hello)
			failure := expectError(t, err, Redirected, 0)
			if failure.Status != code || failure.Waste != (Waste{}) {
				t.Errorf("%s, %d: %+v", name, code, failure)
			}
			if text := err.Error(); !strings.Contains(text, elsewhere.URL) || !strings.Contains(text, "base_url") || strings.Contains(text, testKey) {
				t.Errorf("%s, %d: the error says %q", name, code, text)
			}
			if followed.Load() != 0 || len(s.asked()) != 1 || len(waits) != 0 {
				t.Errorf("%s, %d: asked %d times, elsewhere %d times", name, code, len(s.asked()), followed.Load())
			}
		}
	}
}

// canned answers every request with a body, without a server's own use of memory.
type canned struct {
	body  string
	known bool // whether the length is told
}

func (c canned) RoundTrip(*http.Request) (*http.Response, error) {
	answer := &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(c.body)), ContentLength: -1}
	if c.known {
		answer.ContentLength = int64(len(c.body))
	}
	return answer, nil
}

// filled is a text of nearly the most bytes that an answer may have, made of as many
// parts as fit between a beginning and an end.
func filled(before, part, after string) string {
	return before + strings.TrimSuffix(strings.Repeat(part, (wire.MaxAnswer-len(before)-len(after))/len(part)), ",") + after
}

// contrived are answers that make the most of their bytes.
func contrived() map[string]string {
	return map[string]string{
		"a long text":             filled(`{"choices":[{"message":{"content":"`, "x", `"}}]}`),
		"a text of escapes":       filled(`{"choices":[{"message":{"content":"`, `\u0041`, `"}}]}`),
		"a text of short escapes": filled(`{"choices":[{"message":{"content":"`, `\n`, `"}}]}`),
		"broken UTF-8":            filled(`{"choices":[{"message":{"content":"`, "\xff", `"}}]}`),
		"halves of characters":    filled(`{"choices":[{"message":{"content":"`, `\ud800`, `"}}]}`),
		"empty parts":             filled(`{"choices":[{"message":{"content":[`, `{},`, `]}}]}`),
		"short parts":             filled(`{"choices":[{"message":{"content":[`, `{"text":"a"},`, `]}}]}`),
		"parts in parts":          filled(`{"choices":[{"message":{"content":[`, `{"text":[{"text":"a"}]},`, `]}}]}`),
		"lists in lists":          `{"choices":[{"message":{"content":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}]}`,
		"empty choices":           filled(`{"choices":[`, `{},`, `]}`),
		"many choices":            filled(`{"choices":[`, `{"message":{"content":"a"}},`, `]}`),
		"empty calls":             filled(`{"choices":[{"message":{"tool_calls":[`, `{},`, `]}}]}`),
		"short calls":             filled(`{"choices":[{"message":{"tool_calls":[`, `{"id":"a","function":{"name":"b","arguments":"c"}},`, `]}}]}`),
		"calls again and again":   filled(`{"choices":[{"message":{`, `"tool_calls":[{}],`, `}}]}`),
		"long arguments":          filled(`{"choices":[{"message":{"tool_calls":[{"function":{"arguments":"`, `\"`, `"}}]}}]}`),
		"arguments of objects":    filled(`{"choices":[{"message":{"tool_calls":[{"function":{"arguments":[`, `{},`, `]}}]}}]}`),
		"unknown members":         filled(`{`, `"a":{},`, `}`),
		"one unknown member":      filled(`{"a":[`, `[],`, `]}`),
		"choices again and again": filled(`{`, `"choices":[{}],`, `}`),
		"usage again and again":   filled(`{`, `"usage":{},`, `}`),
		"an error of objects":     filled(`{"error":{"message":[`, `{},`, `]}}`),
		"a reason":                filled(`{"choices":[{"finish_reason":"`, "x", `"}]}`),
		"brackets":                strings.Repeat("[", wire.MaxAnswer),
		"spaces":                  strings.Repeat(" ", wire.MaxAnswer),
	}
}

// allocated is how many bytes a function takes from the heap, including what it gives back.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Reading and decoding an answer takes at most five bytes of memory for each of its
// own, garbage included, and a little that does not grow with it. The test does not
// run next to others, whose memory would be counted.
func TestAnAnswersMemoryIsBoundedByItsBytes(t *testing.T) {
	if racing {
		t.Skip("the race detector takes memory of its own")
	}
	const constant = 1 << 20
	model, err := Open(Spec{Name: "m", BaseURL: "http://x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := model.(*client)
	for name, body := range contrived() {
		most := 5 * len(body)
		if name == "halves of characters" { // the decoder makes an error of each, which is garbage at once
			most = 15 * len(body)
		}
		for _, known := range []bool{true, false} {
			c.sender.http.Transport = canned{body, known}
			got := uint64(math.MaxUint64)
			for range 3 { // a collection in the middle empties the decoder's pools, which are filled again then
				if got = min(got, allocated(func() {
					_, _, _ = c.attempt(t.Context(), &posting{body: []byte("{}"), events: c.dialect.Reader}, time.Minute)
				})); got <= uint64(most+constant) {
					break
				}
			}
			if got > uint64(most+constant) {
				t.Errorf("%s: %d bytes of memory for %d, length known: %v", name, got, len(body), known)
			}
		}
	}
}

// Of many large answers at the same time only a few are in memory.
func TestFewLargeAnswersAreReadAtATime(t *testing.T) {
	t.Parallel()
	const atOnce = 16
	var made atomic.Int32
	model, err := Open(Spec{Name: "m", BaseURL: "http://x"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := model.(*client)
	counted := &counting{}
	c.sender.http.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
		letter := string(rune('a' + made.Add(1)))
		large := filled(`{"choices":[{"message":{"content":"`, letter, `"}}]}`)
		body := &countedBody{counting: counted, text: strings.NewReader(large)}
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: body, ContentLength: -1}, nil
	})
	var group sync.WaitGroup
	for range atOnce {
		group.Go(func() {
			request := Request{Messages: []Message{{Role: User, Content: "Hello"}}}
			got, err := c.Complete(t.Context(), request)
			said := got.Message.Content
			if err != nil || len(said) < wire.MaxAnswer/2 || strings.Trim(said, said[:1]) != "" {
				t.Errorf("%d bytes, error %v", len(said), err)
			}
		})
	}
	group.Wait()
	if counted.most > largeAtOnce {
		t.Errorf("%d large answers were read at the same time", counted.most)
	}
}

// roundTrip is a transport of one function.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// counting knows how many bodies are read beyond a usual answer's size at the moment,
// and how many were at most.
type counting struct {
	mu        sync.Mutex
	now, most int
}

func (c *counting) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += n
	c.most = max(c.most, c.now)
}

type countedBody struct {
	*counting
	text *strings.Reader
	read int
}

func (b *countedBody) Read(p []byte) (int, error) {
	if b.read == usualAnswer { // the next byte makes it a large one
		b.add(1)
	}
	n, err := b.text.Read(p)
	b.read += n
	runtime.Gosched()
	return n, err
}

func (b *countedBody) Close() error {
	if b.read > usualAnswer {
		b.add(-1)
	}
	return nil
}

func TestAnswersAndErrorsAreBounded(t *testing.T) {
	t.Parallel()
	const good = `{"choices":[{"message":{"content":"Done."},"finish_reason":"stop"}]`
	padded := func(size int) string { return good + strings.Repeat(" ", size-len(good)-1) + "}" }
	zipped := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(padded(100 << 20)))
		_ = z.Close()
	}
	chunked := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for len(body) > 0 {
				n := min(len(body), 1<<20)
				fmt.Fprint(w, body[:n])
				w.(http.Flusher).Flush()
				body = body[n:]
			}
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   ErrorKind // "" for an answer
		says   string
	}{
		"as large as may be":            {status(200, padded(wire.MaxAnswer)), "", ""},
		"as large as may be, in chunks": {chunked(padded(wire.MaxAnswer)), "", ""},
		"just larger than usual":        {chunked(padded(usualAnswer + 1)), "", ""},
		"as large as usual":             {chunked(padded(usualAnswer)), "", ""},
		"a byte too large":              {status(200, padded(wire.MaxAnswer+1)), BadAnswer, "more than 8388608 bytes"},
		"a byte too large, in chunks":   {chunked(padded(wire.MaxAnswer + 1)), BadAnswer, "more than 8388608 bytes"},
		"large once it is unzipped":     {zipped, BadAnswer, "more than 8388608 bytes"},
		"a large header":                {status(200, good+"}", "X", strings.Repeat("x", maxHeaders)), Unreachable, "headers"},
		"a large error":                 {status(400, strings.Repeat("x", 100<<20)), Refused, "status 400"},
		"choices beyond the first":      {status(200, `{"choices":[{"message":{"content":"Done."}},{"message":5},"x"]}`), "", ""},
		"more calls than are read":      {status(200, `{"choices":[{"message":{"tool_calls":[{}`+strings.Repeat(",{}", wire.MaxCalls)+`]}}]}`), BadAnswer, "10000 tool calls"},
		"a first choice that is none":   {status(200, `{"choices":["x",{"message":{"content":"Done."}}]}`), BadAnswer, "choices"},
		"megabytes of an error in 200":  {status(200, `{"error":{"message":"`+strings.Repeat("x", 7<<20)+`"}}`), BadAnswer, "the server answers with an error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, c.answer).URL, Attempts: 1}, hello)
			if c.kind == "" {
				if err != nil || got.Message.Content != "Done." {
					t.Errorf("%.100q, error %v", got.Message.Content, err)
				}
				return
			}
			if text := expectError(t, err, c.kind, 0).Error(); !strings.Contains(text, c.says) || len(text) > maxErrorText+100 {
				t.Errorf("%d bytes: %.300s", len(text), text)
			}
		})
	}
}

func TestWhatIsKeptOfAnAnswerIsShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<20)
	body := `{"choices":[{"message":{"tool_calls":[{"id":"1","function":{"name":"` + long + `"}}]},"finish_reason":"` + long + `"}]}`
	got, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, status(200, body)).URL}, hello)
	if err != nil {
		t.Fatal(err)
	}
	if name := got.Message.ToolCalls[0].Name; len(got.FinishReason) > maxFinishReason || len(name) > maxToolName || !utf8.ValidString(name) {
		t.Errorf("a reason of %d and a name of %d bytes", len(got.FinishReason), len(name))
	}
}

// Servers vary; what they mean is read.
func TestVariationsOfAnswersAreRead(t *testing.T) {
	t.Parallel()
	call := func(arguments string) string {
		return `{"message":{"tool_calls":[{"id":"1","function":{"name":"f","arguments":` + arguments + `}}]}}`
	}
	for name, c := range map[string]struct{ choice, content, arguments string }{
		"parts":                        {`{"message":{"content":[{"type":"thinking","thinking":[{"text":"no"}]},{"type":"text","text":"a"},{"type":"text","text":"b"},7,null]}}`, "ab", ""},
		"a part whose text is parts":   {`{"message":{"content":[{"text":[{"text":"a"},{"text":"b"}]}]}}`, "ab", ""},
		"content that is no text":      {`{"message":{"content":{"text":"a"}}}`, "", ""},
		"other cases of names":         {`{"Message":{"CONTENT":"a"}}`, "a", ""},
		"a member twice":               {`{"message":{"content":"a","content":"b"}}`, "b", ""},
		"bytes that are no UTF-8":      {"{\"message\":{\"content\":\"a\xff\xc3b\"}}", "a??b", ""},
		"half of a character, escaped": {`{"message":{"content":"a\ud83d"}}`, "a\ufffd", ""},
		"arguments in a text":          {call(`"{\"a\": 1}"`), "", `{"a": 1}`},
		"arguments as they are":        {call(`{"a": 12345678901234567890}`), "", `{"a": 12345678901234567890}`},
		"arguments that are null":      {call(`null`), "", ""},
	} {
		got, _, err := ask(t, Spec{Name: "m", BaseURL: serve(t, status(200, `{"choices":[`+c.choice+`]}`)).URL}, hello)
		arguments := ""
		for _, call := range got.Message.ToolCalls {
			arguments += call.Arguments
		}
		if err != nil || got.Message.Content != c.content || arguments != c.arguments {
			t.Errorf("%s: %q with %q, error %v", name, got.Message.Content, arguments, err)
		}
	}
}

// A server that fills the conversation with every answer ends the interaction, not the
// process.
func TestAConversationIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxRequest/2-1000)
	for size, kind := range map[int]ErrorKind{2: "", 3: ContextLength} {
		s := serve(t, answered)
		request := Request{Messages: slices.Repeat([]Message{{Role: User, Content: long}}, size)}
		_, _, err := ask(t, Spec{Name: "m", BaseURL: s.URL}, request)
		if kind == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		failure := expectError(t, err, kind, 0)
		if failure.Status != 0 || len(s.asked()) != 0 || !strings.Contains(err.Error(), "more than 20971520") {
			t.Errorf("%v after %d requests", err, len(s.asked()))
		}
	}
}
