package models

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// images is the dialect of OpenAI's images/edits, which other servers of picture models
// speak too: a form with an instruction and pictures is answered with pictures. There are
// no conversations, no tools and no streams.
type images struct{ envelope }

// formBoundary separates the parts of a request. It is always the same, so that equal
// requests are equal in a recording.
const formBoundary = "agentd-form-7c1f4e0b92d85a36"

// endpoint implements dialect.
func (d *images) endpoint(key string, _ bool) (string, http.Header) {
	header := http.Header{"Content-Type": {"multipart/form-data; boundary=" + formBoundary}, "Accept": {"application/json"}}
	if key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	return strings.TrimRight(cmp.Or(d.spec.BaseURL, openaiBase), "/") + "/images/edits", header
}

// encode implements dialect. The texts of all messages are the instruction. Members of the
// spec's body are fields of the form; null leaves one out.
func (d *images) encode(req Request, _ omissions) ([]byte, error) {
	if req.Members != nil || len(req.Tools) > 0 {
		return nil, errors.New("a server of images/edits takes one instruction with pictures: no tools, and no requests of other clients; ask it with the policy direct")
	}
	var said []string
	var shown []picture
	for i := range req.Messages {
		said = append(said, req.Messages[i].Content)
		shown = append(shown, req.Messages[i].pictures...)
	}
	if len(shown) == 0 {
		return nil, errors.New("a server of images/edits edits pictures, and there is none to edit")
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.SetBoundary(formBoundary); err != nil {
		return nil, err
	}
	fields := map[string]any{"model": d.spec.Model, "prompt": strings.Join(said, "\n\n"), "n": 1}
	maps.Copy(fields, d.spec.Body)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if fields[name] == nil {
			continue
		}
		if err := form.WriteField(name, fmt.Sprint(fields[name])); err != nil {
			return nil, err
		}
	}
	for i, p := range shown {
		if err := addFile(form, i, p); err != nil {
			return nil, err
		}
	}
	if err := form.Close(); err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

func addFile(form *multipart.Writer, i int, p picture) error {
	kind, encoded, ok := p.data()
	if !ok {
		return errors.New("a picture is an address; images/edits wants its bytes")
	}
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return fmt.Errorf("a picture is no base64: %w", err)
	}
	if bytes.Contains(raw, []byte("\r\n--"+formBoundary)) {
		return errors.New("a picture holds what separates the parts of a request")
	}
	_, extension, _ := strings.Cut(kind, "/")
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", fmt.Sprintf(`form-data; name="image[]"; filename="picture-%d.%s"`, i+1, extension))
	header.Set("Content-Type", kind)
	part, err := form.CreatePart(header)
	if err != nil {
		return err
	}
	_, err = part.Write(raw)
	return err
}

// wireImages is an answer as the server writes it.
type wireImages struct {
	Data   jsontext.Value `json:"data"`
	Format string         `json:"output_format"`
	Usage  struct {
		Input   int64 `json:"input_tokens"`
		Output  int64 `json:"output_tokens"`
		Details struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"input_tokens_details"`
	} `json:"usage"`
	Error jsontext.Value `json:"error"`
}

// decode implements dialect.
func (d *images) decode(body []byte) (Response, error) {
	var answer wireImages
	if err := leniently(body, &answer); err != nil {
		return Response{}, err
	}
	u := &answer.Usage
	if err := counted(&u.Input, &u.Output, &u.Details.Cached); err != nil {
		return Response{}, err
	}
	response := Response{
		Message: Message{Role: Assistant}, FinishReason: "stop",
		Usage: Usage{Prompt: int(u.Input), Cached: int(u.Details.Cached), Completion: int(u.Output)},
	}
	if err := errorInside(answer.Error); err != nil {
		return Response{Usage: response.Usage}, explained(body)
	}
	type drawn struct {
		Data string `json:"b64_json"`
		URL  string `json:"url"`
	}
	err := eachOf(answer.Data, "data", func(one *drawn) error {
		if one.Data == "" {
			return errors.New(`the answer has no picture but the address of one; set "response_format: b64_json" in the model's body`)
		}
		return response.Message.draw("image/"+cmp.Or(answer.Format, "png"), one.Data)
	})
	if err == nil && len(response.Message.Pictures) == 0 {
		err = errNoAnswer
	}
	return response, err
}

// explain implements dialect.
func (d *images) explain(body []byte) *serverError { return explained(body) }

// assembly implements dialect.
func (d *images) assembly() assembly { return noStream{} }

// noStream refuses a streamed answer, which was not asked for.
type noStream struct{}

func (noStream) add(string, []byte) error {
	return errors.New("the server streams, which was not asked for")
}
func (noStream) deltas() []Delta        { return nil }
func (noStream) ended() bool            { return false }
func (noStream) whole() ([]byte, error) { return nil, errCutOff }
