package picture

import "image"

// Window is the side of the squares over which SSIM looks at pictures, in pixels. A smaller
// picture has no SSIM.
const Window = 7

// Constants of the structural similarity for values from 0 to 255: (0.01 · 255)² and
// (0.03 · 255)².
const (
	c1 = 6.5025
	c2 = 58.5225
)

// SSIM is the mean structural similarity of red, green and blue over all windows that lie
// inside of the pictures (Wang et al. 2004, with a flat window as scikit-image has it). It is 1
// for equal pictures and may be negative. Both have one size, of at least Window on a side.
func SSIM(a, b *image.NRGBA) float64 {
	width, height := a.Rect.Dx(), a.Rect.Dy()
	const n = Window * Window
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
			if row >= Window {
				add(row-Window, -1)
			}
			if row < Window-1 {
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
				if i >= Window {
					c := &columns[i-Window]
					s.x -= c.x
					s.y -= c.y
					s.xx -= c.xx
					s.yy -= c.yy
					s.xy -= c.xy
				}
				if i < Window-1 {
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
	return total / float64(3*(width-Window+1)*(height-Window+1))
}
