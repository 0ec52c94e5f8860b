package viewer

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"agentd/internal/picture"
	"agentd/results"
	"agentd/vfs"
)

// picturePair is a picture before and after, for a page to show side by side.
type picturePair struct {
	Before, After string // addresses; "" where there is none
	Difference    string // "" where there is nothing to compare
	Caption       string
}

// pictureAddress returns the URL of a picture as it was after an interaction, or in the
// seed if number is 0.
func pictureAddress(relay int64, number int, name string) string {
	return fmt.Sprintf("/relays/%d/%d/picture?name=%s", relay, number, url.QueryEscape(name))
}

// notStored is the number of a state that does not belong to a relay.
const notStored = -1

// showPictures fills in how the pictures of a page differ: those of a state and of an
// interaction. A state that is notStored is compared, but not shown.
func (d *documentsDiff) showPictures(relay int64, before, after int, base, output vfs.Files) {
	for i := range d.Files {
		f := &d.Files[i]
		if !vfs.Binary(f.Name) {
			continue
		}
		pair := &picturePair{}
		was, existed := base[f.Name]
		is, exists := output[f.Name]
		if existed && before != notStored {
			pair.Before = pictureAddress(relay, before, f.Name)
		}
		if exists {
			pair.After = pictureAddress(relay, after, f.Name)
		}
		if existed && exists {
			pair.Caption = "The files hold the same bytes."
		}
		if existed && exists && was != is {
			pair.compare(was, is, before)
		}
		f.Pictures = pair
	}
}

// compare says how two contents of a picture differ. before is the number of the
// interaction that left the first.
func (p *picturePair) compare(was, is string, before int) {
	a, errA := picture.Decode(was)
	b, errB := picture.Decode(is)
	if errA != nil || errB != nil {
		p.Caption = "One of the files is no picture that can be read."
		return
	}
	change, sameSize := picture.Compare(a, b)
	if !sameSize {
		p.Caption = fmt.Sprintf("%s pixels became %s.", a.Size(), b.Size())
		return
	}
	p.Caption = change.String() + "."
	if before == notStored {
		return
	}
	p.Difference = p.After + "&since=" + strconv.Itoa(before)
}

// servePicture serves a picture of a relay, encoded again as PNG. With since it is the
// difference to the picture of that name after another interaction: black where they are
// equal, and brighter the more they differ.
func (v *Viewer) servePicture(w http.ResponseWriter, r *http.Request) {
	content, err := v.picture(r)
	if err != nil {
		v.write(w, r, v.explain(r, err).view())
		return
	}
	w.Header().Set("Content-Type", "image/png")
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
}

func (v *Viewer) picture(r *http.Request) (string, error) {
	f, err := v.find(r)
	if err != nil {
		return "", err
	}
	name := r.URL.Query().Get("name")
	shown, err := v.pictureAfter(r.Context(), f, r.PathValue("number"), name)
	if err != nil {
		return "", err
	}
	pixels := shown.Pixels
	if since := r.URL.Query().Get("since"); since != "" {
		before, err := v.pictureAfter(r.Context(), f, since, name)
		if err != nil {
			return "", err
		}
		if before.Pixels.Rect != pixels.Rect {
			return "", problem{http.StatusNotFound, "The two pictures are of different sizes."}
		}
		pixels = difference(before.Pixels, pixels)
	}
	return picture.Encode(pixels)
}

// pictureAfter reads a picture as it was after an interaction, or in the seed for 0.
func (v *Viewer) pictureAfter(ctx context.Context, f found, after, name string) (*picture.Picture, error) {
	number, err := strconv.Atoi(after)
	if err != nil || number < 0 {
		return nil, problem{http.StatusNotFound, fmt.Sprintf("%q is not a number of an interaction.", after)}
	}
	var files vfs.Files
	if number > 0 {
		if files, err = v.store.Documents(ctx, f.ID, number); err != nil {
			return nil, err
		}
	} else if env, err := v.environment(ctx, f); err != nil {
		return nil, err
	} else if env != nil {
		files = env.Seed
	}
	content, there := files[name]
	if !there {
		return nil, problem{http.StatusNotFound, "There is no such file."}
	}
	p, err := picture.Decode(content)
	if err != nil {
		return nil, problem{http.StatusNotFound, "The file is no picture that can be read."}
	}
	return p, nil
}

// difference shows by how much pixels differ, brightened four times.
func difference(a, b *image.NRGBA) *image.NRGBA {
	const brighter = 4
	out := image.NewNRGBA(a.Rect)
	for at := 0; at < len(out.Pix); at += 4 {
		c := color.NRGBA{A: 255}
		for channel, v := range []*uint8{&c.R, &c.G, &c.B} {
			d := int(a.Pix[at+channel]) - int(b.Pix[at+channel])
			*v = uint8(min(255, brighter*max(d, -d)))
		}
		if d := int(a.Pix[at+3]) - int(b.Pix[at+3]); d != 0 {
			c = color.NRGBA{255, 0, 255, 255} // transparency
		}
		out.Pix[at], out.Pix[at+1], out.Pix[at+2], out.Pix[at+3] = c.R, c.G, c.B, c.A
	}
	return out
}

// montagePicture is one of the row of pictures of a relay.
type montagePicture struct{ Source, Address, Caption string }

// montage are the seed's picture and that after each round trip; nil for text.
func (v *Viewer) montage(ctx context.Context, f found, interactions []results.Interaction) ([]montagePicture, error) {
	if f.Domain != "image" {
		return nil, nil
	}
	env, err := v.environment(ctx, f)
	if err != nil || env == nil {
		return nil, err
	}
	names := env.Seed.Names()
	all := []montagePicture{{pictureAddress(f.ID, 0, names[0]), interactionAddress(f.ID, 1), "seed"}}
	for _, in := range interactions {
		if in.Direction == results.Backward && in.Score != nil {
			all = append(all, montagePicture{
				pictureAddress(f.ID, in.Number, names[0]), interactionAddress(f.ID, in.Number), fmt.Sprintf("@%d, %.0f %%", in.Number, 100*in.Score.RS),
			})
		}
	}
	return all, nil
}
