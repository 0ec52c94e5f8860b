package image

import (
	"image"
	"math"
)

// Constants of the structural similarity for values from 0 to 255: (0.01 · 255)² and
// (0.03 · 255)², and the side of its window.
const (
	c1     = 6.5025
	c2     = 58.5225
	window = 7
)

// ssim is the mean structural similarity of red, green and blue over all windows that lie
// inside of the pictures, which have one size. It may be negative.
func ssim(a, b *image.NRGBA) float64 {
	width, height := a.Rect.Dx(), a.Rect.Dy()
	const n = window * window
	type sums struct{ x, y, xx, yy, xy int32 } // at most 49 · 255², which int32 holds
	total := 0.0
	for channel := range 3 {
		columns := make([]sums, width) // of the last seven rows
		add := func(row int, sign int32) {
			at := row*a.Stride + channel
			for i := range columns {
				x, y := int32(a.Pix[at]), int32(b.Pix[at])
				c := &columns[i]
				c.x += sign * x
				c.y += sign * y
				c.xx += sign * x * x
				c.yy += sign * y * y
				c.xy += sign * x * y
				at += 4
			}
		}
		for row := range height {
			add(row, 1)
			if row >= window {
				add(row-window, -1)
			}
			if row < window-1 {
				continue
			}
			var s sums
			for i := range columns {
				c := &columns[i]
				s.x += c.x
				s.y += c.y
				s.xx += c.xx
				s.yy += c.yy
				s.xy += c.xy
				if i >= window {
					c := &columns[i-window]
					s.x -= c.x
					s.y -= c.y
					s.xx -= c.xx
					s.yy -= c.yy
					s.xy -= c.xy
				}
				if i < window-1 {
					continue
				}
				mx, my := float64(s.x)/n, float64(s.y)/n
				const sample = float64(n) / (n - 1)
				vx := sample * (float64(s.xx)/n - mx*mx)
				vy := sample * (float64(s.yy)/n - my*my)
				vxy := sample * (float64(s.xy)/n - mx*my)
				total += (2*mx*my + c1) * (2*vxy + c2) / ((mx*mx + my*my + c1) * (vx + vy + c2))
			}
		}
	}
	return total / float64(3*(width-window+1)*(height-window+1))
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
