package models

import (
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentd/models/wire"
)

const drawnBytes = "\x89PNG\r\n\x1a\n\x00 any bytes \xff"

// drawing asks for a picture and shows one.
func drawing() Request {
	m := Message{Role: User, Content: "Mirror it."}
	m.Show("image/png", "\x89PNG\x00\xfe")
	return Request{Messages: []Message{m}, Draws: true}
}

// editsAnswer is an answer of images/edits.
func editsAnswer(pictures ...string) string {
	var all []string
	for _, p := range pictures {
		all = append(all, fmt.Sprintf(`{"b64_json": %q}`, base64.StdEncoding.EncodeToString([]byte(p))))
	}
	return fmt.Sprintf(`{"data": [%s], "usage": {"input_tokens": 70, "output_tokens": 30, "input_tokens_details": {"cached_tokens": 5}}}`, strings.Join(all, ","))
}

// A form of images/edits has the instruction and the bytes of the pictures, and its answer is
// recorded and replayed with the bytes of what was drawn.
func TestPicturesAreRecordedAndReplayed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	s := serve(t, status(200, editsAnswer(drawnBytes)), status(200, editsAnswer("another")))
	model, _ := openRecorded(t, path, Spec{Name: "painter", API: Images, Model: "real", BaseURL: s.URL + "/v1", KeyEnv: testKeyEnv})
	step := WithStep(t.Context(), "one")
	recorded := make([]Response, 2)
	for i := range recorded {
		var err error
		if recorded[i], err = model.Complete(step, drawing()); err != nil {
			t.Fatal(err)
		}
	}
	if got := recorded[0]; len(got.Message.Pictures) != 1 || string(got.Message.Pictures[0].Data) != drawnBytes || got.Message.Pictures[0].Type != "image/png" ||
		got.Usage.Prompt != 70 || got.Usage.Cached != 5 || got.Usage.Completion != 30 {
		t.Errorf("answered with %+v", got)
	}
	asked := s.asked()
	if len(asked) != 2 || asked[0].uri != "/v1/images/edits" {
		t.Fatalf("asked %+v", asked)
	}
	sent := formOf(t, asked[0])
	want := map[string]string{"model": "real", "prompt": "Mirror it.", "n": "1", "image[]": "\x89PNG\x00\xfe"}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("sent: %s", diff)
	}

	replay := openReplayed(t, path)
	step = WithStep(t.Context(), "one")
	for i, want := range recorded {
		got, err := replay.Complete(step, drawing())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Message{})); diff != "" {
			t.Errorf("answer %d: %s", i+1, diff)
		}
	}
	other := drawing()
	other.Messages[0].Show("image/png", "one more picture")
	if _, err := replay.Complete(WithStep(t.Context(), "one"), other); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a request with another picture is answered: %v", err)
	}
	if len(s.asked()) != 2 {
		t.Errorf("the replay asked the server: %d requests", len(s.asked()))
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{testKey, "Mirror it."} {
		if strings.Contains(string(raw), secret) {
			t.Errorf("the recording holds %q", secret)
		}
	}
}

// formOf are the fields of a form that was sent.
func formOf(t *testing.T, q question) map[string]string {
	t.Helper()
	_, parameters, err := mime.ParseMediaType(q.header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	for form := multipart.NewReader(strings.NewReader(q.body), parameters["boundary"]); ; {
		part, err := form.NextPart()
		if err == io.EOF {
			return fields
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		fields[part.FormName()] += string(content)
	}
}

func TestWhatAServerOfPicturesMayNotAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, says string }{
		"no picture":        {`{"data": []}`, ""},
		"an address":        {`{"data": [{"url": "https://example.com/a.png"}]}`, "response_format: b64_json"},
		"no base64":         {`{"data": [{"b64_json": "??"}]}`, "no base64"},
		"an error":          {`{"error": {"message": "not today"}}`, "not today"},
		"impossible counts": {`{"data": [], "usage": {"input_tokens": -1}}`, "-1"},
	} {
		_, _, err := ask(t, Spec{Name: "painter", API: Images, BaseURL: serve(t, status(200, c.body)).URL, Attempts: 1}, drawing())
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// A server of chat completions may stream pictures, whole ones in any of its events.
func TestStreamedPicturesAreTaken(t *testing.T) {
	t.Parallel()
	show := func(data string) string {
		return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"images":[{"type":"image_url","image_url":{"url":%q}}]}}]}`, data)
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(drawnBytes))
	server := events(t, piece("Here it is."), show("data:image/png;base64,"+encoded), show("data:image/webp;base64,AAAA"), finish, "[DONE]")
	got, _, err := ask(t, Spec{Name: "m", BaseURL: server.URL, Stream: true}, drawing())
	if err != nil {
		t.Fatal(err)
	}
	want := []Picture{{Type: "image/png", Data: []byte(drawnBytes)}, {Type: "image/webp", Data: []byte{0, 0, 0}}}
	if diff := cmp.Diff(want, got.Message.Pictures); diff != "" || got.Message.Content != "Here it is." {
		t.Errorf("%q, %s", got.Message.Content, diff)
	}

	many := make([]string, wire.MostPictures+9)
	for i := range many {
		many[i] = show("data:image/png;base64,AAAA")
	}
	got, _, err = ask(t, Spec{Name: "m", BaseURL: events(t, append(many, finish)...).URL, Stream: true}, drawing())
	if err != nil || len(got.Message.Pictures) != wire.MostPictures {
		t.Errorf("%d pictures are taken, %v; want %d", len(got.Message.Pictures), err, wire.MostPictures)
	}
	_, _, err = ask(t, Spec{Name: "m", BaseURL: events(t, show("https://example.com/a.png"), finish).URL, Stream: true, Attempts: 1}, drawing())
	if err == nil || !strings.Contains(err.Error(), "the address of a picture") {
		t.Errorf("an address instead of a picture: %v", err)
	}
}
