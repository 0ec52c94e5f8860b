// Package image is the published reading and score of the domain image.
//
// Let X be the reference and Y the candidate, R, G, B from 0 to 255.
//
//   - ssim (as scikit-image 0.19, default window): per channel, for every pixel at least 3 from each border, over the 7
//     by 7 window: means mx, my; sample variances and covariance vx, vy, vxy, that is 49/48 * (mean of products -
//     product of means). S = (2 mx my + C1)(2 vxy + C2) / ((mx^2 + my^2 + C1)(vx + vy + C2)), C1 = 6.5025, C2 =
//     58.5225. Mean over pixels, then over the three channels; negative becomes 0.
//   - histogram: both to 8-bit HSV (below); per channel H, S, V a histogram of 64 bins over 0..256 (bin = value / 4, so
//     H uses bins 0..44); Pearson correlation of the two 64-vectors: sum((a - ma)(b - mb)) / sqrt(sum (a - ma)^2 * sum
//     (b - mb)^2), 1 if the product under the root is below 2.2e-16; negative becomes 0. Mean of the three. Each
//     histogram is first divided by its Euclidean norm (which matters only for that border case), in 32-bit floats.
//   - pixel: e = root of the mean over all pixels and channels of ((X - Y)/255)^2; max(0, 1 - 2.5 e).
//   - score = 0.50 ssim + 0.25 histogram + 0.25 pixel. Not rounded. Detail: ssim, histogram_similarity,
//     pixel_similarity, ref_size, gen_size (after resizing, so always equal), error (no_error).
package image

import (
	"encoding/base64"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"

	"agentd/internal/picture"
	"agentd/vfs"
)

// Document is a set of pictures, in name order. They are decoded when they are needed: the
// published evaluator looks at one of them only.
type Document struct {
	Names    []string
	Pictures map[string]func() (*picture.Picture, error)
}

var errNoImages = errors.New("no_images: there is no picture among the files")

// IsPicture reports whether a file counts as a picture, which its name decides.
func IsPicture(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tiff":
		return true
	}
	return false
}

// Parse finds the pictures.
func (r *Reader) Parse(files vfs.Files) (Document, error) {
	doc := Document{Pictures: map[string]func() (*picture.Picture, error){}}
	for _, name := range files.Names() {
		if IsPicture(name) {
			doc.Names = append(doc.Names, name)
			doc.Pictures[name] = sync.OnceValues(func() (*picture.Picture, error) { return r.Decode(files[name]) })
		}
	}
	if len(doc.Names) == 0 {
		return doc, errNoImages
	}
	return doc, nil
}

// Reader decodes pictures and keeps the last few: every comparison needs the same ones for
// RS, for Strict and for the differences. What it returns is not to be changed.
type Reader struct {
	mu   sync.Mutex
	last [4]kept // the latest first
}

type kept struct {
	content string
	picture *picture.Picture
}

// mostKept is the number of pixels from which on a picture is not kept.
const mostKept = 1 << 21

// Decode decodes a picture; it keeps the last ones.
func (r *Reader) Decode(content string) (*picture.Picture, error) {
	r.mu.Lock()
	for _, k := range r.last {
		if k.picture != nil && k.content == content {
			r.mu.Unlock()
			return k.picture, nil
		}
	}
	r.mu.Unlock()
	p, err := Decode(content)
	if err == nil && len(p.Pixels.Pix)/4 < mostKept {
		r.mu.Lock()
		copy(r.last[1:], r.last[:])
		r.last[0] = kept{content, p}
		r.mu.Unlock()
	}
	return p, err
}

// Decode reads a picture's bytes, or its bytes in base64.
func Decode(content string) (*picture.Picture, error) {
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
