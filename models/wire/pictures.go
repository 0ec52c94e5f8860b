package wire

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// Picture is a picture drawn by a model. Data are its bytes; Type is their media type.
type Picture struct {
	Type string `json:"type"` // such as image/png
	Data []byte `json:"data"`
}

// MostPictures is the number of pictures of an answer that are kept. Further ones are ignored.
const MostPictures = 64

// Address is the URL of a picture, or a data: URL with its bytes in base64.
type Address string

// Inline returns the data: URL of a picture. kind is its media type; data is in base64.
func Inline(kind, data string) Address { return Address("data:" + kind + ";base64," + data) }

// ShownAs returns a picture of a client's request. kind is its media type; data is in base64.
// path names the picture in errors.
func ShownAs(path, kind, data string) (Part, error) {
	if data == "" || kind == "" || strings.Trim(kind, "abcdefghijklmnopqrstuvwxyz0123456789/+.-") != "" {
		return Part{}, fmt.Errorf("%s: the picture has no data, or %.50q is no type", path, kind)
	}
	return Part{Address: Inline(kind, data)}, nil
}

// Data returns the picture's media type and its bytes in base64. It returns false if the
// address holds no data.
func (a Address) Data() (kind, base64 string, ok bool) {
	rest, ok := strings.CutPrefix(string(a), "data:")
	if !ok {
		return "", "", false
	}
	head, base64, ok := strings.Cut(rest, ",")
	return strings.TrimSuffix(head, ";base64"), base64, ok
}

// Address returns the picture as a data: URL.
func (p Picture) Address() Address {
	return Inline(p.Type, base64.StdEncoding.EncodeToString(p.Data))
}

// Show adds a picture to a user's message. kind is its media type, such as image/png; data is
// in base64.
func (m *Message) Show(kind, data string) {
	m.Parts = append(m.Parts, Part{Address: Picture{kind, []byte(data)}.Address()})
}

// Draw adds a picture to an answer. kind is its media type; encoded is in base64.
func (m *Message) Draw(kind, encoded string) error {
	if len(m.Pictures) == MostPictures {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return fmt.Errorf("a picture of the answer is no base64: %w", err)
	}
	m.Pictures = append(m.Pictures, Picture{kind, data})
	return nil
}
