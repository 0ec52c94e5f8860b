package report

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/jpeg"

	"golang.org/x/image/draw"

	"agentd/internal/picture"
	"agentd/results"
	"agentd/vfs"
)

// Limits on the documents, arms, moments and total bytes of a gallery. gallerySide is the longer
// side of a picture in pixels.
const (
	mostGalleryDocuments = 6
	mostGalleryArms      = 6
	mostGalleryMoments   = 3
	mostGalleryBytes     = 2 << 20
	gallerySide          = 160
	galleryQuality       = 80 // of JPEG, from 1 to 100
)

// galleryDocument is a document of pictures and its versions by arm (paper, Figure A5).
type galleryDocument struct {
	Environment string
	Seed        template.URL
	Moments     []int // interactions
	Arms        []galleryArm
}

// galleryArm holds an arm's picture after each moment.
type galleryArm struct {
	Arm      string
	Pictures []galleryPicture
}

// galleryPicture is a picture; it is empty if none can be read.
type galleryPicture struct {
	At     int // interactions
	Source template.URL
	RS     string
}

// showPictures reads some pictures for a page: for each document, those of each arm's first relay
// that did its work.
func (r *Report) showPictures(ctx context.Context, store *results.Store) error {
	if r.pictures == nil {
		return nil
	}
	of := r.pictures
	left := mostGalleryBytes
	for place, e := range of.source.environments {
		if len(of.gallery) == mostGalleryDocuments {
			return nil
		}
		env, err := of.environment(ctx, store, e.name)
		if errors.Is(err, results.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		name, seed := firstPicture(env.Seed)
		if name == "" {
			continue
		}
		document, err := of.galleryOf(ctx, store, place, name)
		if err != nil {
			return err
		}
		document.Environment, document.Seed = e.name, small(seed)
		if left -= document.size(); left < 0 {
			return nil
		}
		if len(document.Arms) > 0 {
			of.gallery = append(of.gallery, document)
		}
	}
	return nil
}

// firstPicture returns the first file that is a readable picture; the name is empty if there is none.
func firstPicture(files vfs.Files) (string, *picture.Picture) {
	for _, name := range files.Names() {
		if p, err := picture.Decode(files[name]); err == nil {
			return name, p
		}
	}
	return "", nil
}

// galleryOf are the arms' pictures of an environment, of the file that had a name in the seed.
func (r *Report) galleryOf(ctx context.Context, store *results.Store, place int, name string) (galleryDocument, error) {
	var document galleryDocument
	for i, key := range r.source.order {
		if key.model == "" || r.Arms[i].Work.TooLittle() || len(document.Arms) == mostGalleryArms {
			continue
		}
		for _, c := range r.source.arms[key].curves {
			if c.place != place {
				continue
			}
			arm := galleryArm{Arm: labelsOf([]Row{r.Arms[i].row()})[0]}
			for _, trip := range spread(places(c.trips), mostGalleryMoments) {
				shown := galleryPicture{At: 2 * (trip + 1), RS: unknown}
				files, err := store.Documents(ctx, c.relay, shown.At)
				if err != nil && !errors.Is(err, results.ErrNotFound) {
					return document, fmt.Errorf("reading the pictures of relay %d: %w", c.relay, err)
				}
				if p, err := picture.Decode(files[name]); err == nil {
					shown.Source = small(p)
				}
				if value := c.trips[trip].rs; c.trips[trip].scored() {
					shown.RS = Percent.text(value)
				}
				arm.Pictures = append(arm.Pictures, shown)
			}
			document.Arms = append(document.Arms, arm)
			break
		}
	}
	return document, nil
}

// size returns the document's size on a page in bytes.
func (d *galleryDocument) size() int {
	n := len(d.Seed)
	for _, arm := range d.Arms {
		for _, p := range arm.Pictures {
			n += len(p.Source)
		}
	}
	return n
}

// small scales a picture down and returns it as a data URL; "" for one without pixels.
// Transparent pixels become white.
func small(p *picture.Picture) template.URL {
	width, height := p.Width(), p.Height()
	longer := max(width, height)
	if longer == 0 {
		return ""
	}
	if longer > gallerySide {
		width, height = max(1, width*gallerySide/longer), max(1, height*gallerySide/longer)
	}
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(to, to.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(to, to.Rect, p.Pixels, p.Pixels.Rect, draw.Over, nil)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, to, &jpeg.Options{Quality: galleryQuality}); err != nil {
		return ""
	}
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(b.Bytes()))
}
