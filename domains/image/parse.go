package image

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"agentd/domains"
	"agentd/internal/picture"
	"agentd/vfs"
)

// document is a set of pictures, in name order. They are decoded when they are needed: the
// published evaluator looks at one of them only.
type document struct {
	names    []string
	pictures map[string]func() (*picture.Picture, error)
}

var errNoImages = errors.New("no_images: there is no picture among the files")

// smallest is the side of a picture below which the published evaluator crashes, which slides a window of this size.
const smallest = picture.Window

// isPicture reports whether a file counts as a picture, which its name decides.
func isPicture(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tiff":
		return true
	}
	return false
}

// parse finds the pictures.
func (r *reader) parse(files vfs.Files) (document, error) {
	doc := document{pictures: map[string]func() (*picture.Picture, error){}}
	for _, name := range files.Names() {
		if isPicture(name) {
			doc.names = append(doc.names, name)
			doc.pictures[name] = sync.OnceValues(func() (*picture.Picture, error) { return r.decode(files[name]) })
		}
	}
	if len(doc.names) == 0 {
		return doc, errNoImages
	}
	return doc, nil
}

// reader decodes pictures and keeps the last few: every comparison needs the same ones for
// RS, for Strict and for the differences. What it returns is not to be changed.
type reader struct {
	mu   sync.Mutex
	last [4]kept // the latest first
}

type kept struct {
	content string
	picture *picture.Picture
}

// mostKept is the number of pixels from which on a picture is not kept.
const mostKept = 1 << 21

func (r *reader) decode(content string) (*picture.Picture, error) {
	r.mu.Lock()
	for _, k := range r.last {
		if k.picture != nil && k.content == content {
			r.mu.Unlock()
			return k.picture, nil
		}
	}
	r.mu.Unlock()
	p, err := decode(content)
	if err == nil && len(p.Pixels.Pix)/4 < mostKept {
		r.mu.Lock()
		copy(r.last[1:], r.last[:])
		r.last[0] = kept{content, p}
		r.mu.Unlock()
	}
	return p, err
}

// decode reads a picture's bytes, or its bytes in base64.
func decode(content string) (*picture.Picture, error) {
	if p, err := picture.Decode(content); err == nil || errors.Is(err, picture.ErrTooLarge) {
		return p, err
	}
	raw, err := lenientBase64(content)
	if err != nil {
		return nil, err
	}
	return picture.Decode(raw)
}

// lenientBase64 skips characters outside of the alphabet. Missing padding is an error.
func lenientBase64(text string) (string, error) {
	digits := strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '+', r == '/', r == '=':
			return r
		}
		return -1
	}, text)
	// What follows the padding is ignored.
	if at := strings.IndexByte(digits, '='); at >= 0 && len(digits[:at])%4 > 1 {
		digits = digits[:min(len(digits), at+4-at%4)]
	}
	raw, err := base64.StdEncoding.DecodeString(digits)
	if err != nil {
		return "", fmt.Errorf("reading base64: %w", err)
	}
	return string(raw), nil
}

// decoded is a picture of the document, or why the published evaluator crashes on it.
func (d document) decoded(name string) (*picture.Picture, error) {
	p, err := d.pictures[name]()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w on %s: %w", domains.ErrCrash, name, err)
	case p.Width() < smallest || p.Height() < smallest:
		return nil, fmt.Errorf("%w on %s: %s pixels are fewer than %d on a side", domains.ErrCrash, name, p.Size(), smallest)
	}
	return p, nil
}

// crashes says why a document cannot be a reference.
func crashes(d document) error {
	_, err := d.decoded(d.names[0])
	return err
}

func stats(d document) domains.Stats {
	s := domains.Stats{Elements: len(d.names), Counts: []domains.Count{{Name: "num_images", Value: fmt.Sprint(len(d.names))}}}
	for _, name := range d.names {
		if p, err := d.pictures[name](); err == nil {
			s.Counts = append(s.Counts, domains.Count{Name: name + "_size", Value: p.Size()})
		}
	}
	return s
}

// without leaves out pictures.
func without(files vfs.Files, leave func() bool) vfs.Files {
	left := files.Clone()
	for _, name := range files.Names() {
		if isPicture(name) && leave() {
			delete(left, name)
		}
	}
	return left
}

// theSame finds the picture that is compared with one of a name: that of the same name, or else the first.
func (d document) theSame(name string) string {
	if slices.Contains(d.names, name) {
		return name
	}
	return d.names[0]
}
