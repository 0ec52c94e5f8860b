// Package image compares raster pictures: PNG, JPEG, WebP, BMP and TIFF, decoded by their
// content. A file holds a picture's bytes, or its bytes in base64, which is how the
// published harness keeps pictures. The counted element is the picture.
//
// The published score looks at one picture only: 0.5 of the structural similarity (SSIM) of red, green and blue, 0.25
// of the agreement of the colours' histograms, and 0.25 of the nearness of the pixels. It brings the candidate to the
// reference's size first and drops transparency. A uniform grey picture still scores 0.36.
//
// Strict compares what a viewer would: the number of pictures, the size of each and all
// pixels with their transparency, in squares of eight by eight. It is 1 only if all pixels
// are equal. Names, metadata and how a file is compressed carry nothing.
package image

import (
	"fmt"
	"hash/fnv"
	"strconv"

	"agentd/domains"
	"agentd/internal/picture"
	"agentd/vfs"
)

const counted = "picture"

// New returns the domain.
func New() domains.Domain {
	r := &reader{}
	return pictures{reader: r, Domain: domains.New(domains.Spec[document]{
		Info: domains.Info{
			Name:       "image",
			Title:      "Raster picture",
			Category:   "Creative & Media",
			Patterns:   []string{"*.png", "*.jpg", "*.jpeg", "*.webp", "*.bmp", "*.tiff"},
			Element:    counted,
			Binary:     true,
			Example:    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAAMElEQVR42mNgEFAwcAhIKGDgkNCw8IjIqIAJNDBABToYoAITGKACMxigAgsYoAIrAIDmFQEIkE3NAAAAAElFTkSuQmCC",
			Components: []string{"ssim", "histogram_similarity", "pixel_similarity"},
		},
		Parse:     r.parse,
		Score:     domains.Noting(score),
		Stats:     stats,
		Crashes:   crashes,
		Form:      func(_, content string) []domains.Slip { return undecodable(r, content) },
		Elements:  r.elements,
		WithoutIn: without,
		Sampling:  domains.Sampling{Not: "a picture is no list of entries"},
		Edits:     edits(),
	})}
}

// score is the published formula: 0.50 structure + 0.25 colours + 0.25 nearness.
func score(reference, candidate document) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{Reference: len(reference.names), Candidate: len(candidate.names)}}
	name := reference.names[0]
	ref, err := reference.decoded(name)
	if err == nil {
		var got *picture.Picture
		if got, err = candidate.pictures[candidate.theSame(name)](); err == nil {
			fitted := resized(got, ref.Width(), ref.Height())
			structure := max(0, picture.SSIM(ref.Pixels, fitted))
			colours := histogramSimilarity(ref.Pixels, fitted)
			nearness := pixelSimilarity(ref.Pixels, fitted)
			reading.RS = 0.5*structure + 0.25*colours + 0.25*nearness
			reading.Components = map[string]float64{
				"ssim": structure, "histogram_similarity": colours, "pixel_similarity": nearness,
			}
			return reading
		}
		err = fmt.Errorf("%w on %s: %w", domains.ErrCrash, candidate.theSame(name), err)
	}
	reading.Crash = err
	return reading
}

// square is the side of the squares that Strict compares, in pixels.
const square = 8

// elements are the pictures, with their sizes and the pixels of each square, and the files
// that should be pictures and cannot be read.
func (r *reader) elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	for _, name := range files.Names() {
		if !isPicture(name) {
			continue
		}
		p, err := r.decode(files[name])
		if err != nil {
			all = append(all, domains.Element{Kind: "unreadable file", Key: name, Fields: []domains.Field{{Name: "bytes", Value: strconv.Itoa(len(files[name]))}}})
			continue
		}
		all = append(all, domains.Element{Kind: counted, Key: name, Fields: fieldsOf(p)})
	}
	return all
}

// fieldsOf are a picture's size and a hash of each square, named by its place.
func fieldsOf(p *picture.Picture) []domains.Field {
	width, height := p.Width(), p.Height()
	fields := append(make([]domains.Field, 0, 1+(width/square+1)*(height/square+1)), domains.Field{Name: "size", Value: p.Size()})
	for y := 0; y < height; y += square {
		for x := 0; x < width; x += square {
			hash := fnv.New64a()
			for row := y; row < min(y+square, height); row++ {
				line := p.Pixels.Pix[row*p.Pixels.Stride:]
				_, _ = hash.Write(line[4*x : 4*min(x+square, width)]) // it has no error
			}
			fields = append(fields, domains.Field{
				Name: strconv.Itoa(x) + "," + strconv.Itoa(y), Value: strconv.FormatUint(hash.Sum64(), 36),
			})
		}
	}
	return fields
}

// undecodable is the slip of a picture that cannot be decoded.
func undecodable(r *reader, content string) []domains.Slip {
	if _, err := r.decode(content); err != nil {
		return []domains.Slip{{What: err.Error()}}
	}
	return nil
}
