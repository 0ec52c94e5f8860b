package image

import (
	"image"
	"math"
)

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
