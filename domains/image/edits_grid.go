package image

import (
	"errors"
	"fmt"

	"agentd/domains"
	"agentd/internal/picture"
)

// tiles exchanges the tiles of a picture: tile n goes to place (factor n + offset) mod the number of tiles.
func tiles(p struct {
	Document, To         string
	Grid, Factor, Offset int // Grid is the number of tiles on a side
}) domains.Steps {
	const most = 1000
	if min(p.Grid, p.Factor) < 1 || p.Offset < 0 || max(p.Grid, p.Factor, p.Offset) > most {
		return domains.Refuse("grid and factor must be from 1 to 1000, and offset from 0")
	}
	all := p.Grid * p.Grid
	there, back := make([]int, all), make([]int, all) // the tile at each place
	taken := make([]bool, all)
	for n := range all {
		place := (p.Factor*n + p.Offset) % all
		if taken[place] {
			return domains.Refuse("factor puts two tiles in one place")
		}
		taken[place], there[place], back[n] = true, n, place
	}
	exchange := func(from []int) func(pixels) (pixels, error) {
		return func(m pixels) (pixels, error) {
			width, height := m.Rect.Dx(), m.Rect.Dy()
			if width%p.Grid != 0 || height%p.Grid != 0 {
				return nil, fmt.Errorf("%d × %d pixels cannot be cut into %d tiles on a side", width, height, p.Grid)
			}
			w, h := width/p.Grid, height/p.Grid
			return moved(m, width, height, func(x, y int) (int, int) {
				n := from[y/h*p.Grid+x/w]
				return n%p.Grid*w + x%w, n/p.Grid*h + y%h
			}), nil
		}
	}
	return oneToOne(exchange(there), exchange(back))(fromTo{p.Document, p.To})
}

func double(p pixels) (pixels, error) {
	width, height := 2*p.Rect.Dx(), 2*p.Rect.Dy()
	if width > picture.MostPixels/height {
		return nil, picture.ErrTooLarge
	}
	return moved(p, width, height, func(x, y int) (int, int) { return x / 2, y / 2 }), nil
}

func halve(p pixels) (pixels, error) {
	width, height := p.Rect.Dx()/2, p.Rect.Dy()/2
	if width < 1 || height < 1 {
		return nil, errors.New("the picture is too small to be halved")
	}
	return moved(p, width, height, func(x, y int) (int, int) { return 2 * x, 2 * y }), nil
}

// shear moves each row to the right by so many pixels more than the one above; what leaves the
// picture on one side comes in on the other.
func shear(p struct {
	Document, To string
	Pixels       int
}) domains.Steps {
	by := func(slant int) func(pixels) (pixels, error) {
		return func(m pixels) (pixels, error) {
			width := m.Rect.Dx()
			return moved(m, width, m.Rect.Dy(), func(x, y int) (int, int) {
				return ((x-slant*y)%width + width) % width, y
			}), nil
		}
	}
	return oneToOne(by(p.Pixels), by(-p.Pixels))(fromTo{p.Document, p.To})
}
