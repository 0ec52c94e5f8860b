package models

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Picture is one that a model drew. Data are its bytes, of the media type Type.
type Picture struct {
	Type string `json:"type"` // as image/png
	Data []byte `json:"data"`
}

// mostPictures is how many pictures of an answer are taken; further ones are ignored.
const mostPictures = 64

// Show adds a picture to a message that a user sends. kind is its media type, as image/png.
func (m *Message) Show(kind, data string) {
	m.pictures = append(m.pictures, picture("data:"+kind+";base64,"+base64.StdEncoding.EncodeToString([]byte(data))))
}

// draw takes a picture of an answer in base64.
func (m *Message) draw(kind, encoded string) error {
	if len(m.Pictures) == mostPictures {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return fmt.Errorf("a picture of the answer is no base64: %w", err)
	}
	m.Pictures = append(m.Pictures, Picture{kind, data})
	return nil
}

// chatMessage is a message of chat completions: with parts if it shows pictures.
func chatMessage(m *Message) any {
	if len(m.pictures) == 0 {
		return wireOf(m)
	}
	parts := []any{map[string]string{"type": "text", "text": m.Content}}
	for _, p := range m.pictures {
		parts = append(parts, map[string]any{"type": "image_url", "image_url": map[string]string{"url": string(p)}})
	}
	return map[string]any{"role": m.Role, "content": parts}
}

// drawInChat takes the pictures of an answer of chat completions: a list of addresses that
// hold the bytes, as OpenRouter writes them.
func (m *Message) drawInChat(list jsontext.Value) error {
	if list.Kind() != '[' {
		return nil
	}
	type drawn struct {
		Image struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	return eachOf(list, "images", func(d *drawn) error {
		kind, data, ok := picture(d.Image.URL).data()
		if !ok {
			return fmt.Errorf("the answer has the address of a picture, %.60q, instead of its bytes", d.Image.URL)
		}
		return m.draw(kind, strings.TrimSpace(data))
	})
}
