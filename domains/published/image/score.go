package image

import (
	"fmt"
	"hash/fnv"
	"image"
	"math"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/internal/picture"
	"agentd/vfs"
)

// Counted is the kind of the elements that are counted.
const Counted = "picture"

// Score is the published formula: 0.50 structure + 0.25 colours + 0.25 nearness.
func Score(reference, candidate Document) domains.Reading {
	reading := domains.Reading{Elements: domains.Elements{Reference: len(reference.Names), Candidate: len(candidate.Names)}}
	name := reference.Names[0]
	ref, err := reference.decoded(name)
	if err == nil {
		var got *picture.Picture
		if got, err = candidate.Pictures[candidate.theSame(name)](); err == nil {
			fitted := Resized(got, ref.Width(), ref.Height())
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

// Elements are the pictures, with their sizes and the pixels of each square, and the files
// that should be pictures and cannot be read.
func (r *Reader) Elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	for _, name := range files.Names() {
		if !IsPicture(name) {
			continue
		}
		p, err := r.Decode(files[name])
		if err != nil {
			all = append(all, domains.Element{Kind: "unreadable file", Key: name, Fields: []domains.Field{{Name: "bytes", Value: strconv.Itoa(len(files[name]))}}})
			continue
		}
		all = append(all, domains.Element{Kind: Counted, Key: name, Fields: fieldsOf(p)})
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

// smallest is the side of a picture below which the published evaluator crashes, which slides a window of this size.
const smallest = picture.Window

// decoded is a picture of the document, or why the published evaluator crashes on it.
func (d Document) decoded(name string) (*picture.Picture, error) {
	p, err := d.Pictures[name]()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w on %s: %w", domains.ErrCrash, name, err)
	case p.Width() < smallest || p.Height() < smallest:
		return nil, fmt.Errorf("%w on %s: %s pixels are fewer than %d on a side", domains.ErrCrash, name, p.Size(), smallest)
	}
	return p, nil
}

// Crashes says why a document cannot be a reference.
func Crashes(d Document) error {
	_, err := d.decoded(d.Names[0])
	return err
}

// Stats counts the parts of a document.
func Stats(d Document) domains.Stats {
	counts := []any{"num_images", len(d.Names)}
	for _, name := range d.Names {
		if p, err := d.Pictures[name](); err == nil {
			counts = append(counts, name+"_size", p.Size())
		}
	}
	return domains.StatsOf(len(d.Names), counts...)
}

// theSame finds the picture that is compared with one of a name: that of the same name, or else the first.
func (d Document) theSame(name string) string {
	if slices.Contains(d.Names, name) {
		return name
	}
	return d.Names[0]
}

// bins is the number of a histogram's bins over the values 0 to 255. Hue ends at 180, so that it has 45 of them.
const bins = 64

// histogramSimilarity is the mean over hue, saturation and value of the correlation of the
// histograms, of which negative ones count as 0.
func histogramSimilarity(a, b *image.NRGBA) float64 {
	tables := newHSV()
	ofA, ofB := tables.histograms(a), tables.histograms(b)
	total := 0.0
	for channel := range ofA {
		total += max(0, correlation(&ofA[channel], &ofB[channel]))
	}
	return total / 3
}

// hsv turns colours into hue (0 to 180), saturation and value (0 to 255) in whole numbers,
// by division tables with twelve binary digits after the point.
type hsv struct{ saturation, hue [256]int32 }

func newHSV() *hsv {
	var t hsv
	for i := 1; i < 256; i++ {
		t.saturation[i] = int32(math.RoundToEven(255 * 4096 / float64(i)))
		t.hue[i] = int32(math.RoundToEven(180 * 4096 / (6 * float64(i))))
	}
	return &t
}

func (t *hsv) of(r, g, b int32) (h, s, v int32) {
	v = max(r, g, b)
	d := v - min(r, g, b)
	s = (d*t.saturation[v] + 2048) >> 12
	switch v {
	case r:
		h = g - b
	case g:
		h = b - r + 2*d
	default:
		h = r - g + 4*d
	}
	if h = (h*t.hue[d] + 2048) >> 12; h < 0 {
		h += 180
	}
	return h, s, v
}

// histogram counts values by bins, and is brought to the length 1.
type histogram [bins]float32

func (t *hsv) histograms(p *image.NRGBA) (all [3]histogram) {
	var counts [3][bins]int
	for at := 0; at < len(p.Pix); at += 4 {
		h, s, v := t.of(int32(p.Pix[at]), int32(p.Pix[at+1]), int32(p.Pix[at+2]))
		counts[0][h/4]++
		counts[1][s/4]++
		counts[2][v/4]++
	}
	for channel := range counts {
		squares := 0.0
		for _, n := range counts[channel] {
			squares += float64(n) * float64(n)
		}
		length := math.Sqrt(squares)
		for i, n := range counts[channel] {
			all[channel][i] = float32(float64(n) / length)
		}
	}
	return all
}

// correlation is Pearson's. It is 1 where one of the histograms is flat.
func correlation(a, b *histogram) float64 {
	var meanA, meanB float64
	for i := range a {
		meanA += float64(a[i]) / bins
		meanB += float64(b[i]) / bins
	}
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i])-meanA, float64(b[i])-meanB
		ab += x * y
		aa += x * x
		bb += y * y
	}
	const least = 2.220446049250313e-16
	if aa*bb < least {
		return 1
	}
	return ab / math.Sqrt(aa*bb)
}

// pixelSimilarity falls with the root of the mean squared difference of red, green and
// blue, and is 0 from a difference of 0.4 of the range on.
func pixelSimilarity(a, b *image.NRGBA) float64 {
	var squares int64
	for at := 0; at < len(a.Pix); at += 4 {
		for channel := range 3 {
			d := int64(a.Pix[at+channel]) - int64(b.Pix[at+channel])
			squares += d * d
		}
	}
	mean := float64(squares) / float64(len(a.Pix)/4*3)
	return max(0, 1-2.5*math.Sqrt(mean)/255)
}

// Resized brings a picture to a size as Pillow does: a palette picture by the nearest
// pixel, others by Lanczos' method, with colours multiplied by alpha for the time.
func Resized(p *picture.Picture, width, height int) *image.NRGBA {
	switch {
	case p.Width() == width && p.Height() == height:
		return p.Pixels
	case p.Mode == picture.Palette:
		return nearest(p.Pixels, width, height)
	case p.Mode == picture.RGBA:
		return unmultiplied(lanczos(multiplied(p.Pixels), width, height))
	}
	return lanczos(p.Pixels, width, height)
}

func nearest(from *image.NRGBA, width, height int) *image.NRGBA {
	to := image.NewNRGBA(image.Rect(0, 0, width, height))
	source := func(at, n, of int) int { return min(int((float64(at)+0.5)*float64(of)/float64(n)), of-1) }
	for y := range height {
		row := from.Pix[source(y, height, from.Rect.Dy())*from.Stride:]
		for x := range width {
			copy(to.Pix[y*to.Stride+4*x:][:4], row[4*source(x, width, from.Rect.Dx()):])
		}
	}
	return to
}

// multiplied multiplies colours by alpha, rounded.
func multiplied(from *image.NRGBA) *image.NRGBA {
	to := image.NewNRGBA(from.Rect)
	copy(to.Pix, from.Pix)
	for at := 0; at < len(to.Pix); at += 4 {
		alpha := uint32(to.Pix[at+3])
		for channel := range 3 {
			product := uint32(to.Pix[at+channel])*alpha + 128
			to.Pix[at+channel] = uint8((product>>8 + product) >> 8)
		}
	}
	return to
}

// unmultiplied divides colours by alpha, in place. Those of transparent pixels stay.
func unmultiplied(p *image.NRGBA) *image.NRGBA {
	for at := 0; at < len(p.Pix); at += 4 {
		alpha := uint32(p.Pix[at+3])
		if alpha == 0 || alpha == 255 {
			continue
		}
		for channel := range 3 {
			p.Pix[at+channel] = uint8(min(255, 255*uint32(p.Pix[at+channel])/alpha))
		}
	}
	return p
}

// lanczos resizes all four channels, rows first. Each pass rounds to whole values.
func lanczos(from *image.NRGBA, width, height int) *image.NRGBA {
	if width != from.Rect.Dx() {
		from = pass(from, width, true)
	}
	if height != from.Rect.Dy() {
		from = pass(from, height, false)
	}
	return from
}

// pass resizes along one direction.
func pass(from *image.NRGBA, n int, horizontal bool) *image.NRGBA {
	width, height := from.Rect.Dx(), from.Rect.Dy()
	lines, of, size := height, width, image.Rect(0, 0, n, height)
	if !horizontal {
		lines, of, size = width, height, image.Rect(0, 0, width, n)
	}
	to := image.NewNRGBA(size)
	strides := func(p *image.NRGBA) (step, next int) {
		if horizontal {
			return 4, p.Stride
		}
		return p.Stride, 4
	}
	step, next := strides(from)
	toStep, toNext := strides(to)
	for at := range n {
		first, weights := kernel(at, n, of)
		for line := range lines {
			var sum [4]int
			source := line*next + first*step
			for _, w := range weights {
				pixel := from.Pix[source : source+4]
				sum[0] += w * int(pixel[0])
				sum[1] += w * int(pixel[1])
				sum[2] += w * int(pixel[2])
				sum[3] += w * int(pixel[3])
				source += step
			}
			pixel := to.Pix[line*toNext+at*toStep:]
			for channel, s := range sum {
				pixel[channel] = uint8(min(max((s+1<<(digits-1))>>digits, 0), 255))
			}
		}
	}
	return to
}

// digits is the number of binary digits that weights have after the point.
const digits = 22

// kernel returns the weights of the input pixels from first on for one output pixel.
func kernel(at, n, of int) (first int, weights []int) {
	const lobes = 3
	scale := float64(of) / float64(n)
	factor := max(scale, 1)
	support := lobes * factor
	centre := (float64(at) + 0.5) * scale
	first = max(0, int(centre-support+0.5))
	end := min(of, int(centre+support+0.5))
	exact, sum := make([]float64, end-first), 0.0
	for i := range exact {
		t := (float64(first+i) - centre + 0.5) / factor
		if -lobes <= t && t < lobes {
			exact[i] = sinc(t) * sinc(t/lobes)
		}
		sum += exact[i]
	}
	weights = make([]int, len(exact))
	for i, w := range exact {
		weights[i] = int(math.Round(w / sum * (1 << digits)))
	}
	return first, weights
}

func sinc(t float64) float64 {
	if t == 0 {
		return 1
	}
	return math.Sin(math.Pi*t) / (math.Pi * t)
}
