// Package images is the codec of OpenAI's images/edits, which other servers of image models
// support too. A request is a form with an instruction and pictures; the answer contains
// pictures. There are no conversations, tools or streams.
package images

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"agentd/models/wire"
	"agentd/models/wire/responses"
)

// Codec is the dialect's codec. It has the client's half of a wire.Codec, and DecodeForm and
// EncodeAnswer for a server.
type Codec struct{}

// formBoundary separates the parts of a request. It is constant, so that equal requests are
// equal in a recording.
const formBoundary = "agentd-form-7c1f4e0b92d85a36"

// FormType is the Content-Type of a request.
const FormType = "multipart/form-data; boundary=" + formBoundary

var errNoClient = errors.New("a server of images/edits takes one instruction with pictures: no tools, and no requests of other clients; ask it with the policy direct")

// Overlay implements wire.Codec.
func (Codec) Overlay(*wire.Request, wire.Members) ([]byte, error) { return nil, errNoClient }

// Encode implements wire.Codec. The instruction consists of the texts of all messages. Members
// of the body become fields of the form; null omits a field.
func (Codec) Encode(req *wire.Request) ([]byte, error) {
	if len(req.Tools) > 0 {
		return nil, errNoClient
	}
	var said []string
	var shown []wire.Address
	for i := range req.Messages {
		said = append(said, req.Messages[i].Content)
		shown = append(shown, req.Messages[i].Shown()...)
	}
	if len(shown) == 0 {
		return nil, errors.New("a server of images/edits edits pictures, and there is none to edit")
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.SetBoundary(formBoundary); err != nil {
		return nil, err
	}
	fields := map[string]any{"model": req.Model, "prompt": strings.Join(said, "\n\n"), "n": 1}
	maps.Copy(fields, req.Body)
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

func addFile(form *multipart.Writer, i int, p wire.Address) error {
	kind, encoded, ok := p.Data()
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
	Data   jsontext.Value  `json:"data"`
	Format string          `json:"output_format"`
	Usage  responses.Usage `json:"usage"`
	Error  jsontext.Value  `json:"error"`
}

// DecodeAnswer implements wire.Codec.
func (Codec) DecodeAnswer(body []byte) (wire.Answer, error) {
	var answer wireImages
	if err := wire.ReadAnswer(body, &answer); err != nil {
		return wire.Answer{}, err
	}
	response := wire.Answer{Message: wire.Message{Role: wire.Assistant}, FinishReason: wire.Stop, Usage: answer.Usage.Tokens()}
	if err := wire.ErrorInside(answer.Error); err != nil {
		return wire.Answer{Usage: response.Usage}, wire.DecodeError(body)
	}
	type drawn struct {
		Data string `json:"b64_json"`
		URL  string `json:"url"`
	}
	err := wire.EachOf(answer.Data, "data", func(one *drawn) error {
		if one.Data == "" {
			return errors.New(`the answer has no picture but the address of one; set "response_format: b64_json" in the model's body`)
		}
		return response.Message.Draw("image/"+cmp.Or(answer.Format, "png"), one.Data)
	})
	if err == nil && len(response.Message.Pictures) == 0 {
		err = wire.ErrNoAnswer
	}
	return response, err
}

// DecodeForm decodes a request. contentType is its Content-Type header. Up to inMemory bytes of
// pictures are held in memory; the rest goes to temporary files.
func DecodeForm(contentType string, body []byte, inMemory int64) (*wire.Request, error) {
	kind, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "multipart/form-data" {
		return nil, fmt.Errorf("the request must be a form (multipart/form-data), not %q", kind)
	}
	form, err := multipart.NewReader(bytes.NewReader(body), parameters["boundary"]).ReadForm(inMemory)
	if err != nil {
		return nil, fmt.Errorf("the form cannot be read: %w", err)
	}
	defer func() { _ = form.RemoveAll() }()
	value := func(name string) string { return strings.Join(form.Value[name], "") }
	asked := wire.Message{Role: wire.User, Content: value("prompt")}
	for _, file := range slices.Concat(form.File["image"], form.File["image[]"]) {
		opened, err := file.Open()
		if err != nil {
			return nil, fmt.Errorf("a picture cannot be read: %w", err)
		}
		raw, err := io.ReadAll(opened)
		if err != nil {
			return nil, fmt.Errorf("a picture cannot be read: %w", err)
		}
		asked.Show(file.Header.Get("Content-Type"), string(raw))
	}
	for name, missing := range map[string]bool{"prompt": asked.Content == "", "image": len(asked.Parts) == 0} {
		if missing {
			return nil, fmt.Errorf("missing required parameter: '%s'", name)
		}
	}
	return &wire.Request{Model: value("model"), Messages: []wire.Message{asked}}, nil
}

// EncodeAnswer implements wire.Codec. The list is empty if the answer contains only text, for
// which this protocol has no place.
func (Codec) EncodeAnswer(_ *wire.Request, a *wire.Answer) any {
	data := []any{}
	for _, drawn := range a.Message.Pictures {
		data = append(data, map[string]string{"b64_json": base64.StdEncoding.EncodeToString(drawn.Data)})
	}
	return map[string]any{"created": time.Now().Unix(), "data": data, "usage": map[string]any{
		"input_tokens": a.Usage.Prompt, "output_tokens": a.Usage.Completion, "total_tokens": a.Usage.Total(),
	}}
}

// Reader implements wire.Codec. It returns nil because there are no streams.
func (Codec) Reader() wire.Reader { return nil }
