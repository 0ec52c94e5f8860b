package wire

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// Picture is one that a model drew. Data are its bytes, of the media type Type.
type Picture struct {
	Type string `json:"type"` // as image/png
	Data []byte `json:"data"`
}

// MostPictures is how many pictures of an answer are taken; further ones are ignored.
const MostPictures = 64

// Address is where a picture is; or data: with its bytes in base64.
type Address string

// Inline returns the address that holds a picture itself. data is in base64.
func Inline(kind, data string) Address { return Address("data:" + kind + ";base64," + data) }

// ShownAs is a picture of a client's request: its media type, and its bytes in base64. path
// is what an error calls it.
func ShownAs(path, kind, data string) (Part, error) {
	if data == "" || !isMediaType(kind) {
		return Part{}, fmt.Errorf("%s: the picture has no data, or %.50q is no type", path, kind)
	}
	return Part{Address: Inline(kind, data)}, nil
}

// isMediaType reports whether a word is a type such as image/png.
func isMediaType(word string) bool {
	return word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789/+.-") == ""
}

// Data returns the picture's media type and bytes in base64; false if it is elsewhere.
func (a Address) Data() (kind, base64 string, ok bool) {
	rest, ok := strings.CutPrefix(string(a), "data:")
	if !ok {
		return "", "", false
	}
	head, base64, ok := strings.Cut(rest, ",")
	return strings.TrimSuffix(head, ";base64"), base64, ok
}

// Address is the picture as an address that holds it.
func (p Picture) Address() Address {
	return Inline(p.Type, base64.StdEncoding.EncodeToString(p.Data))
}

// Show adds a picture to a message that a user sends. kind is its media type, as image/png.
func (m *Message) Show(kind, data string) {
	m.Parts = append(m.Parts, Part{Address: Picture{kind, []byte(data)}.Address()})
}

// Draw takes a picture of an answer in base64.
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
