package image

import (
	"image"
	"math"

	"agentd/internal/picture"
)

// resized brings a picture to a size as Pillow does: a palette picture by the nearest
// pixel, others by Lanczos' method, with colours multiplied by alpha for the time.
func resized(p *picture.Picture, width, height int) *image.NRGBA {
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
