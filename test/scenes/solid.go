package main

import (
	"image"
	"math"
	"math/rand/v2"
	"sync"
)

// vec is a point, a direction, or a colour of red, green and blue in linear light.
type vec [3]float64

func (a vec) add(b vec) vec            { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) sub(b vec) vec            { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) scale(f float64) vec      { return vec{a[0] * f, a[1] * f, a[2] * f} }
func (a vec) times(b vec) vec          { return vec{a[0] * b[0], a[1] * b[1], a[2] * b[2]} }
func (a vec) dot(b vec) float64        { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) length() float64          { return math.Sqrt(a.dot(a)) }
func (a vec) unit() vec                { return a.scale(1 / a.length()) }
func (a vec) mix(b vec, f float64) vec { return a.scale(1 - f).add(b.scale(f)) }
func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func clamp(v, low, high float64) float64 { return min(max(v, low), high) }

func smooth(low, high, v float64) float64 {
	t := clamp((v-low)/(high-low), 0, 1)
	return t * t * (3 - 2*t)
}

// solid is a thing of a scene: how far a point is from its surface, and its colour there.
type solid struct {
	centre   vec     // of a sphere around it
	radius   float64 // of that sphere; 0 if it has no bounds
	distance func(p vec) float64
	colour   func(p vec) vec
	shine    float64 // share of light that is reflected as by a mirror, 0 to 1
}

// box is a block of half sizes with rounded edges.
func box(centre, half vec, round float64, colour func(vec) vec) solid {
	return solid{centre: centre, radius: half.length() + round, colour: colour, distance: func(p vec) float64 {
		q, outside, inside := p.sub(centre), 0.0, math.Inf(-1)
		for i := range q {
			d := math.Abs(q[i]) - half[i] + round
			outside += max(d, 0) * max(d, 0)
			inside = max(inside, d)
		}
		return math.Sqrt(outside) + min(inside, 0) - round
	}}
}

func sphere(centre vec, radius float64, colour func(vec) vec) solid {
	return solid{centre: centre, radius: radius, colour: colour, distance: func(p vec) float64 { return p.sub(centre).length() - radius }}
}

// cylinder stands upright, with a radius below and one above.
func cylinder(centre vec, below, above, half float64, colour func(vec) vec) solid {
	return solid{centre: centre, radius: math.Hypot(max(below, above), half), colour: colour, distance: func(p vec) float64 {
		q := p.sub(centre)
		t := clamp(q[1]/(2*half)+0.5, 0, 1)
		side := (math.Hypot(q[0], q[2]) - (below + (above-below)*t)) * 0.9
		end := math.Abs(q[1]) - half
		return math.Hypot(max(side, 0), max(end, 0)) + min(max(side, end), 0)
	}}
}

// tube lies along the depth of the scene.
func tube(centre vec, radius, half float64, colour func(vec) vec) solid {
	return solid{centre: centre, radius: math.Hypot(radius, half), colour: colour, distance: func(p vec) float64 {
		q := p.sub(centre)
		return max(math.Hypot(q[0], q[1])-radius, math.Abs(q[2])-half)
	}}
}

// ground is what lies below a height, which may be of hills.
func ground(height func(x, z float64) float64, colour func(vec) vec) solid {
	return solid{colour: colour, distance: func(p vec) float64 { return (p[1] - height(p[0], p[2])) * 0.7 }}
}

func level(y float64) func(x, z float64) float64 { return func(float64, float64) float64 { return y } }

func (s solid) shiny(share float64) solid {
	s.shine = share
	return s
}

// without cuts one solid out of another.
func (s solid) without(other solid) solid {
	whole := s.distance
	s.distance = func(p vec) float64 { return max(whole(p), -other.distance(p)) }
	return s
}

// noise is smooth and random, from 0 to 1, the same for the same point.
func noise(p vec) float64 {
	var at [3]int64
	var t vec
	for i := range p {
		f := math.Floor(p[i])
		at[i], t[i] = int64(f), p[i]-f
		t[i] = t[i] * t[i] * (3 - 2*t[i])
	}
	corner := func(x, y, z int64) float64 {
		h := uint64(at[0]+x)*0x9e3779b97f4a7c15 ^ uint64(at[1]+y)*0xc2b2ae3d27d4eb4f ^ uint64(at[2]+z)*0x165667b19e3779f9
		h ^= h >> 29
		h *= 0xbf58476d1ce4e5b9
		h ^= h >> 32
		return float64(h&0xffff) / 0xffff
	}
	lerp := func(a, b, t float64) float64 { return a + (b-a)*t }
	low := lerp(lerp(corner(0, 0, 0), corner(1, 0, 0), t[0]), lerp(corner(0, 1, 0), corner(1, 1, 0), t[0]), t[1])
	high := lerp(lerp(corner(0, 0, 1), corner(1, 0, 1), t[0]), lerp(corner(0, 1, 1), corner(1, 1, 1), t[0]), t[1])
	return lerp(low, high, t[2])
}

// rough is noise of several sizes, from 0 to 1.
func rough(p vec) float64 {
	total, weight := 0.0, 0.5
	for range 5 {
		total += weight * noise(p)
		p, weight = p.scale(2.03), weight/2
	}
	return total / 0.96875
}

// scene is what there is to see, and from where.
type scene struct {
	name     string
	eye, at  vec
	zoom     float64 // the distance of the picture from the eye, in half its width
	sun      vec     // towards it
	sunlight vec
	sky      func(direction vec) vec
	haze     float64 // share of the view that the sky's light takes over a unit of distance
	solids   []solid
	far      float64
}

// nearest is the distance to the nearest solid, and that solid.
func (s *scene) nearest(p vec) (float64, *solid) {
	best, which := math.Inf(1), (*solid)(nil)
	for i := range s.solids {
		o := &s.solids[i]
		if o.radius > 0 && p.sub(o.centre).length()-o.radius > best {
			continue
		}
		if d := o.distance(p); d < best {
			best, which = d, o
		}
	}
	return best, which
}

// march goes along a ray until it meets something; false if it meets the sky.
func (s *scene) march(from, direction vec) (vec, *solid, float64, bool) {
	t := 0.02
	for range 220 {
		p := from.add(direction.scale(t))
		d, o := s.nearest(p)
		if d < 0.0008*max(t, 1) {
			return p, o, t, true
		}
		if t += d; t > s.far {
			break
		}
	}
	return vec{}, nil, t, false
}

func (s *scene) normal(p vec, o *solid) vec {
	const e = 0.0006
	var n vec
	for i := range n {
		a, b := p, p
		a[i] += e
		b[i] -= e
		n[i] = o.distance(a) - o.distance(b)
	}
	return n.unit()
}

// shade is the light that comes from a direction.
func (s *scene) shade(from, direction vec, bounces int) vec {
	p, o, t, met := s.march(from, direction)
	if !met {
		return s.sky(direction)
	}
	n := s.normal(p, o)
	start := p.add(n.scale(0.004))
	light, travelled := 1.0, 0.02
	for range 48 { // soft shadows: how near the way to the sun comes to a solid
		d, _ := s.nearest(start.add(s.sun.scale(travelled)))
		if d < 0.0006 {
			light = 0
			break
		}
		light = min(light, 14*d/travelled)
		if travelled += max(d, 0.01); travelled > 14 {
			break
		}
	}
	open := 0.0 // how much of the sky reaches the point
	for i := range 4 {
		h := 0.03 + 0.16*float64(i)
		d, _ := s.nearest(p.add(n.scale(h)))
		open += clamp(d/h, 0, 1) / 4
	}
	ambient := s.sky(vec{n[0] * 0.4, 0.3 + 0.7*max(n[1], 0), n[2] * 0.4}.unit()).scale(0.34 * (0.25 + 0.75*open))
	own := o.colour(p)
	seen := own.times(s.sunlight.scale(max(n.dot(s.sun), 0) * light).add(ambient))
	if o.shine > 0 && bounces > 0 {
		mirrored := direction.sub(n.scale(2 * direction.dot(n)))
		grazing := math.Pow(1-clamp(-direction.dot(n), 0, 1), 4)
		seen = seen.mix(s.shade(start, mirrored, bounces-1), clamp(o.shine+(1-o.shine)*grazing*0.6, 0, 1))
	}
	return seen.mix(s.sky(vec{direction[0], 0.05, direction[2]}.unit()), 1-math.Exp(-s.haze*t))
}

// side is that of the pictures, in pixels, and rays the number of rays along the side of a
// pixel.
const (
	side = 512
	rays = 2
)

// render draws the scene. The same scene gives the same picture.
func (s *scene) render() *image.NRGBA {
	picture := image.NewNRGBA(image.Rect(0, 0, side, side))
	forward := s.at.sub(s.eye).unit()
	right := vec{0, 1, 0}.cross(forward).unit()
	up := forward.cross(right)
	var rows sync.WaitGroup
	for part := range 4 {
		rows.Go(func() {
			for y := part; y < side; y += 4 {
				grain := rand.New(rand.NewPCG(uint64(y), 7))
				for x := range side {
					var sum vec
					for i := range rays * rays {
						fx := (float64(x)+(float64(i%rays)+0.5)/rays)*2/side - 1
						fy := 1 - (float64(y)+(float64(i/rays)+0.5)/rays)*2/side
						direction := forward.scale(s.zoom).add(right.scale(fx)).add(up.scale(fy)).unit()
						sum = sum.add(s.shade(s.eye, direction, 1).scale(1. / (rays * rays)))
					}
					at := picture.PixOffset(x, y)
					film := 1.2 * (grain.Float64() - 0.5)
					for c, v := range sum {
						v = v / (v + 0.155) * 1.019 // film keeps detail in bright places
						picture.Pix[at+c] = uint8(clamp(255*math.Pow(clamp(v, 0, 1), 1/1.25)+film+0.5, 0, 255))
					}
					picture.Pix[at+3] = 255
				}
			}
		})
	}
	rows.Wait()
	return picture
}
