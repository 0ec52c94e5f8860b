package image

import (
	"image"
	"math"
)

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
