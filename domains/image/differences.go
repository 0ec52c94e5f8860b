package image

import (
	"bytes"
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/internal/picture"
	"agentd/vfs"
)

// pictures is the domain with differences that a person can read: what changed of a
// picture as a whole instead of square by square.
type pictures struct {
	domains.Domain
	reader *reader
}

// With returns the domain itself: there are no options.
func (d pictures) With(domains.Metadata) domains.Domain { return d }

func (d pictures) Against(reference vfs.Files) domains.Reference {
	return against{d.Domain.Against(reference), reference, d.reader}
}

func (d pictures) Differences(reference, candidate vfs.Files) []domains.Difference {
	return d.Against(reference).Differences(candidate)
}

type against struct {
	domains.Reference
	files  vfs.Files
	reader *reader
}

func (a against) Differences(candidate vfs.Files) []domains.Difference {
	return a.whole(candidate).Differences
}

func (a against) Review(candidate vfs.Files) domains.Review {
	review := a.whole(candidate)
	review.Strict = a.Reference.Review(candidate).Strict
	return review
}

// whole names for each picture how many of its pixels changed, where, and how similar it still is. Pictures are paired
// by name; those whose names are on one side alone are paired in name order.
func (a against) whole(candidate vfs.Files) domains.Review {
	ref, _ := a.reader.parse(a.files) // without pictures all of the other are lost or added
	got, _ := a.reader.parse(candidate)
	var found domains.Review
	add := func(field string, d domains.Difference) {
		if field != "" {
			d.Where += ", " + field
		}
		found.Differences = append(found.Differences, d)
		found.Parts = append(found.Parts, domains.Part{Element: counted, Field: field})
	}
	partner, free := pairs(ref.names, got.names)
	for _, name := range ref.names {
		is, kept := partner[name]
		if !kept {
			add("", domains.Difference{Kind: domains.Lost, Where: name, Was: describe(ref, name)})
			continue
		}
		changed := domains.Difference{Kind: domains.Changed, Where: name, Was: describe(ref, name), Is: describe(got, is)}
		before, errBefore := ref.pictures[name]()
		after, errAfter := got.pictures[is]()
		if errBefore != nil || errAfter != nil {
			if a.files[name] != candidate[is] {
				add("", changed)
			}
			continue
		}
		change, sameSize := picture.Compare(before, after)
		switch {
		case !sameSize:
			if min(before.Width(), before.Height()) >= picture.Window {
				fitted := resized(after, before.Width(), before.Height())
				changed.Is += fmt.Sprintf(", SSIM %.4f at the first one's size", picture.SSIM(before.Pixels, fitted))
			}
			add("size", changed)
		case change.Changed > 0:
			changed.Is += ", " + change.String()
			changed.Gone = blank(after) && !blank(before)
			add("pixels", changed)
		}
	}
	for _, name := range got.names {
		if free[name] {
			add("", domains.Difference{Kind: domains.Added, Where: name, Is: describe(got, name)})
		}
	}
	return found
}

// blank reports whether a picture has one colour alone.
func blank(p *picture.Picture) bool {
	const pixel = 4 // bytes
	pixels := p.Pixels.Pix
	return len(pixels) >= pixel && bytes.Equal(pixels[pixel:], pixels[:len(pixels)-pixel])
}

// pairs finds for each name of the reference its partner, and which of the others are left.
func pairs(reference, candidate []string) (partner map[string]string, free map[string]bool) {
	partner, free = map[string]string{}, map[string]bool{}
	for _, name := range candidate {
		free[name] = true
	}
	var unpaired []string
	for _, name := range reference {
		if free[name] {
			partner[name], free[name] = name, false
		} else {
			unpaired = append(unpaired, name)
		}
	}
	for _, name := range candidate {
		if free[name] && len(unpaired) > 0 {
			partner[unpaired[0]], unpaired, free[name] = name, unpaired[1:], false
		}
	}
	return partner, free
}

func describe(d document, name string) string {
	p, err := d.pictures[name]()
	if err != nil {
		return "unreadable"
	}
	return fmt.Sprintf("%s, %s, %s pixels", strings.ToUpper(p.Format), p.Mode, p.Size())
}
