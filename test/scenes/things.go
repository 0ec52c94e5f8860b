package main

import "math"

// plain is one colour with a little wear.
func plain(colour vec) func(vec) vec {
	return func(p vec) vec { return colour.scale(0.86 + 0.28*rough(p.scale(5))) }
}

// planks are boards of wood that lie along an axis, each of its own shade.
func planks(along, across int, width float64, colour vec) func(vec) vec {
	return func(p vec) vec {
		board := math.Floor(p[across] / width)
		edge := math.Abs(p[across]/width-board-0.5) * 2
		q := p
		q[along] *= 0.12
		grain := rough(q.scale(9).add(vec{board * 7.3, board * 1.7, 0}))
		rings := 0.5 + 0.5*math.Sin(26*grain+3*board)
		shade := 0.62 + 0.3*noise(vec{board * 3.1, 0, 0}) + 0.25*rings*grain
		return colour.scale(shade * (1 - 0.75*smooth(0.9, 1, edge)))
	}
}

// bricks are courses of a wall that faces the viewer.
func bricks(colour, mortar vec) func(vec) vec {
	return func(p vec) vec {
		const width, height, joint = 0.32, 0.11, 0.012
		row := math.Floor(p[1] / height)
		x := p[0] + width/2*math.Mod(math.Abs(row), 2)
		column := math.Floor(x / width)
		dx, dy := x-column*width, p[1]-row*height
		if dx < joint || dy < joint {
			return mortar.scale(0.7 + 0.5*rough(p.scale(18)))
		}
		own := noise(vec{column*5.3 + 0.5, row*3.7 + 0.5, 0})
		return colour.mix(colour.times(vec{0.55, 0.5, 0.6}), own).scale(0.65 + 0.6*rough(p.scale(14)))
	}
}

// stripes alternate between two colours along an axis.
func stripes(axis int, width float64, a, b vec) func(vec) vec {
	return func(p vec) vec {
		if math.Mod(math.Abs(math.Floor(p[axis]/width)), 2) == 0 {
			return a.scale(0.9 + 0.2*rough(p.scale(6)))
		}
		return b.scale(0.9 + 0.2*rough(p.scale(6)))
	}
}

// stones are flags of a pavement, or the cobbles of a street.
func stones(width float64, colour vec) func(vec) vec {
	return func(p vec) vec {
		row := math.Floor(p[2] / width)
		x := p[0] + width*0.37*row
		column := math.Floor(x / width)
		dx, dz := x/width-column, p[2]/width-row
		gap := min(dx, dz, 1-dx, 1-dz)
		return colour.scale((0.6 + 0.5*noise(vec{column*2.7 + 0.3, row*9.1 + 0.3, 0})) * (0.7 + 0.5*rough(p.scale(11))) * (0.45 + 0.55*smooth(0.01, 0.06, gap)))
	}
}

// grass is a meadow.
func grass(p vec) vec {
	blades := noise(vec{p[0] * 38, 0, p[2] * 22})
	return vec{0.13, 0.24, 0.06}.mix(vec{0.3, 0.33, 0.09}, rough(p.scale(1.3))).scale(0.55 + 0.7*blades)
}

// day is a sky with clouds: its colour overhead and near the horizon.
func day(high, low vec, clouds float64) func(vec) vec {
	return func(d vec) vec {
		up := max(d[1], 0.0)
		sky := low.mix(high, math.Pow(up, 0.55))
		if clouds == 0 || up < 0.01 {
			return sky
		}
		q := vec{d[0] / (up + 0.12), 0, d[2] / (up + 0.12)}
		cover := smooth(1-clouds, 1.15-clouds*0.6, rough(q.scale(1.4)))
		return sky.mix(vec{0.95, 0.93, 0.9}, cover*0.85*smooth(0.01, 0.2, up))
	}
}

// crate is a box of boards with a label.
func crate(centre vec, half float64, colour vec, label string) solid {
	wood := planks(0, 1, half*0.5, colour)
	if label != "" {
		wood = write(label).on(wood, vec{centre[0], centre[1], centre[2] - half*0.8}, half*0.24, vec{0.02, 0.02, 0.025})
	}
	return box(centre, vec{half, half, half}, 0.015, wood)
}

// sign is a board with a line of text that faces the viewer.
func sign(centre vec, height float64, text string, board, ink vec) solid {
	line := write(text)
	half := vec{height * (line.aspect + 0.5), height * 1.15, 0.03}
	return box(centre, half, 0.02, line.on(plain(board), vec{centre[0], centre[1], centre[2]}, height, ink))
}

func scenes() []*scene {
	return []*scene{pier(), table(), bakery(), platform(), lighthouse(), workshop()}
}

func pier() *scene {
	waves := func(x, z float64) float64 {
		return -0.35 + 0.05*noise(vec{x*2.2 + z, 0, z * 3.1}) + 0.035*noise(vec{x * 6, 3, z*9 + x})
	}
	wood := vec{0.34, 0.25, 0.17}
	s := &scene{
		name: "image1", eye: vec{-1.6, 1.5, -5.2}, at: vec{0.5, 0.45, 1}, zoom: 1.7, far: 60, haze: 0.012,
		sun: vec{-0.55, 0.62, -0.5}.unit(), sunlight: vec{1.05, 0.95, 0.78}, sky: day(vec{0.16, 0.34, 0.62}, vec{0.62, 0.7, 0.76}, 0.5),
	}
	s.solids = []solid{
		ground(waves, func(p vec) vec { return vec{0.02, 0.075, 0.09} }).shiny(0.25),
		box(vec{-1, -0.02, 1.5}, vec{1.1, 0.06, 5}, 0.01, planks(0, 2, 0.21, wood)),
		box(vec{-1.35, 0.75, 3.4}, vec{0.9, 0.75, 1}, 0.02, planks(1, 0, 0.2, vec{0.36, 0.1, 0.08})),
		box(vec{-1.35, 1.58, 3.4}, vec{1.05, 0.1, 1.15}, 0.03, plain(vec{0.12, 0.12, 0.14})),
		box(vec{-1.1, 0.5, 2.39}, vec{0.26, 0.48, 0.03}, 0.01, planks(1, 0, 0.1, vec{0.08, 0.2, 0.2})),
		sign(vec{-1.35, 1.24, 2.36}, 0.13, "PIER 7", vec{0.75, 0.72, 0.62}, vec{0.05, 0.08, 0.2}),
		crate(vec{-0.35, 0.25, 1.2}, 0.22, vec{0.5, 0.36, 0.2}, "FISH"),
		crate(vec{-0.2, 0.66, 1.25}, 0.19, vec{0.44, 0.33, 0.22}, "ICE"),
		crate(vec{-0.82, 0.24, 0.6}, 0.2, vec{0.42, 0.3, 0.18}, "No. 12"),
		cylinder(vec{-1.6, 0.3, 0.1}, 0.2, 0.2, 0.25, stripes(1, 0.12, vec{0.1, 0.24, 0.34}, vec{0.55, 0.5, 0.4})),
		box(vec{1.7, 0.02, 2.6}, vec{0.5, 0.28, 1.5}, 0.2, stripes(1, 0.17, vec{0.75, 0.75, 0.7}, vec{0.08, 0.22, 0.42})),
		box(vec{1.7, 0.55, 3.1}, vec{0.32, 0.32, 0.5}, 0.05, plain(vec{0.8, 0.78, 0.7})),
		cylinder(vec{1.7, 1.5, 2.4}, 0.035, 0.025, 1.3, plain(vec{0.5, 0.38, 0.22})),
		ground(func(x, z float64) float64 { return 1.6*noise(vec{x * 0.16, 0, 2})*smooth(17, 24, z) - 0.5 }, plain(vec{0.12, 0.17, 0.11})),
	}
	for i := range 4 {
		s.solids = append(s.solids, cylinder(vec{0.1, 0.1, -0.6 + 1.5*float64(i)}, 0.09, 0.08, 0.55, planks(1, 0, 0.06, wood)))
	}
	return s
}

func table() *scene {
	s := &scene{
		name: "image2", eye: vec{0.4, 1.75, -3.1}, at: vec{0, 0.35, 0}, zoom: 1.9, far: 20, haze: 0,
		sun: vec{-0.75, 0.6, -0.28}.unit(), sunlight: vec{1.05, 0.86, 0.62},
		sky: func(d vec) vec { return vec{0.34, 0.33, 0.36}.mix(vec{0.55, 0.56, 0.6}, max(d[1], 0)) },
	}
	apple := func(at vec, r float64, red, green vec) solid {
		return sphere(at, r, func(p vec) vec {
			q := p.sub(at).scale(1 / r)
			return red.mix(green, smooth(0.35, 0.75, rough(vec{q[0] * 2, q[1]*1.2 + 1, q[2] * 2}))).scale(0.8 + 0.4*noise(vec{math.Atan2(q[0], q[2]) * 9, q[1], 0}))
		}).shiny(0.03)
	}
	title := write("TIDES")
	cover := plain(vec{0.1, 0.17, 0.28})
	s.solids = []solid{
		box(vec{0, -0.1, 0.3}, vec{2.6, 0.1, 1.7}, 0.02, planks(0, 2, 0.42, vec{0.45, 0.27, 0.14})).shiny(0.02),
		box(vec{0, 1.2, 2.6}, vec{5, 3, 0.1}, 0, stripes(0, 0.23, vec{0.44, 0.48, 0.42}, vec{0.5, 0.52, 0.43})),
		cylinder(vec{-0.75, 0.32, 0.25}, 0.27, 0.31, 0.32, func(p vec) vec {
			if math.Abs(p[1]-0.33-0.04*math.Sin(9*math.Atan2(p[0]+0.75, p[2]-0.25))) < 0.07 {
				return vec{0.12, 0.25, 0.5}
			}
			return vec{0.82, 0.79, 0.7}.scale(0.94 + 0.1*rough(p.scale(12)))
		}).without(cylinder(vec{-0.75, 0.4, 0.25}, 0.24, 0.28, 0.32, nil)).shiny(0.04),
		cylinder(vec{-0.75, 0.22, 0.25}, 0.25, 0.28, 0.2, plain(vec{0.09, 0.04, 0.02})),
		apple(vec{0.1, 0.19, -0.35}, 0.19, vec{0.6, 0.07, 0.05}, vec{0.62, 0.5, 0.12}),
		apple(vec{0.46, 0.18, -0.12}, 0.18, vec{0.35, 0.45, 0.1}, vec{0.6, 0.25, 0.1}),
		apple(vec{0.2, 0.17, 0.08}, 0.17, vec{0.66, 0.15, 0.06}, vec{0.6, 0.55, 0.2}),
		box(vec{1.05, 0.07, 0.35}, vec{0.42, 0.07, 0.56}, 0.015, plain(vec{0.38, 0.1, 0.1})),
		box(vec{1, 0.2, 0.4}, vec{0.36, 0.055, 0.48}, 0.012, func(p vec) vec {
			u, v := (p[0]-1)/0.11, (p[2]-0.42)/0.11
			if p[1] > 0.25 && math.Abs(v) < 1 && math.Abs(u) < title.aspect {
				return cover(p).mix(vec{0.85, 0.7, 0.35}, title.cover(u, v))
			}
			if p[1] < 0.235 && p[1] > 0.165 {
				return vec{0.8, 0.76, 0.64}.scale(0.8 + 0.3*noise(vec{0, p[1] * 160, 0}))
			}
			return cover(p)
		}),
		cylinder(vec{-0.1, 0.55, 1.1}, 0.16, 0.22, 0.55, func(p vec) vec {
			return vec{0.2, 0.4, 0.38}.scale(0.7 + 0.4*rough(vec{p[0] * 3, p[1] * 22, p[2] * 3}))
		}).shiny(0.06),
		box(vec{-1.5, 0.01, -0.35}, vec{0.33, 0.012, 0.4}, 0.005, func(p vec) vec {
			if math.Mod(math.Abs(p[2]*14), 1) < 0.12 && math.Abs(p[0]+1.5) < 0.27 {
				return vec{0.2, 0.22, 0.4}
			}
			return vec{0.85, 0.83, 0.76}
		}),
		box(vec{-1.35, 0.04, -0.4}, vec{0.3, 0.018, 0.018}, 0.012, stripes(0, 0.25, vec{0.75, 0.5, 0.08}, vec{0.7, 0.45, 0.06})),
	}
	for i := range 7 {
		a := float64(i) * 0.9
		s.solids = append(s.solids,
			cylinder(vec{-0.1 + 0.09*math.Sin(a), 1.25, 1.1 + 0.09*math.Cos(a)}, 0.012, 0.012, 0.3, plain(vec{0.12, 0.25, 0.08})),
			sphere(vec{-0.1 + 0.3*math.Sin(a), 1.5 + 0.09*math.Cos(3*a), 1.1 + 0.16*math.Cos(a)}, 0.12, func(p vec) vec {
				return vec{0.75, 0.5 - 0.05*float64(i), 0.1 + 0.08*float64(i)}.scale(0.6 + 0.6*noise(p.scale(26)))
			}))
	}
	return s
}

func bakery() *scene {
	wall := bricks(vec{0.42, 0.17, 0.11}, vec{0.5, 0.46, 0.4})
	glass := func(p vec) vec {
		return vec{0.1, 0.085, 0.06}.mix(vec{0.5, 0.36, 0.16}, smooth(0.35, 0.7, rough(vec{p[0] * 3, p[1] * 4, 1})))
	}
	frame := plain(vec{0.1, 0.2, 0.16})
	today, price := write("TODAY"), write("RYE 3.20")
	board := price.on(plain(vec{0.05, 0.055, 0.06}), vec{1.75, 0.54, -0.5}, price.fitting(0.07, 0.26), vec{0.8, 0.75, 0.5})
	board = today.on(board, vec{1.75, 0.78, -0.5}, today.fitting(0.1, 0.26), vec{0.85, 0.85, 0.82})
	s := &scene{
		name: "image3", eye: vec{-0.9, 1.35, -5.6}, at: vec{0.1, 1.35, 0}, zoom: 1.75, far: 40, haze: 0,
		sun: vec{-0.5, 0.66, -0.55}.unit(), sunlight: vec{1, 0.9, 0.72}, sky: day(vec{0.2, 0.36, 0.6}, vec{0.6, 0.66, 0.7}, 0.4),
	}
	s.solids = []solid{
		ground(level(0), stones(0.42, vec{0.33, 0.31, 0.3})),
		ground(func(x, z float64) float64 { return -0.2 + 0.18*smooth(-1.7, -1.69, -z) }, stones(0.2, vec{0.2, 0.2, 0.22})),
		box(vec{0, 2.2, 0.5}, vec{4, 2.2, 0.4}, 0.01, wall),
		box(vec{-0.75, 1.05, 0.1}, vec{0.95, 0.7, 0.06}, 0.02, frame),
		box(vec{-0.75, 1.05, 0.06}, vec{0.88, 0.62, 0.05}, 0.01, glass).shiny(0.16),
		box(vec{-0.75, 1.05, 0.02}, vec{0.03, 0.64, 0.04}, 0.01, frame),
		box(vec{1.05, 0.85, 0.09}, vec{0.42, 0.86, 0.06}, 0.02, planks(1, 0, 0.16, vec{0.14, 0.28, 0.24})),
		box(vec{1.05, 1.2, 0.05}, vec{0.28, 0.36, 0.05}, 0.01, glass).shiny(0.16),
		sphere(vec{0.76, 0.8, 0}, 0.04, plain(vec{0.7, 0.55, 0.2})).shiny(0.3),
		sign(vec{-0.1, 2.28, 0.02}, 0.2, "BAKERY & SONS", vec{0.09, 0.17, 0.15}, vec{0.85, 0.68, 0.3}),
		box(vec{1.75, 0.55, -0.5}, vec{0.26, 0.5, 0.03}, 0.02, board),
		cylinder(vec{2.5, 1.6, -0.8}, 0.06, 0.04, 1.6, plain(vec{0.06, 0.07, 0.07})),
		sphere(vec{2.5, 3.2, -0.8}, 0.2, plain(vec{0.85, 0.82, 0.7})).shiny(0.1),
		cylinder(vec{-2.1, 0.25, -0.4}, 0.2, 0.28, 0.25, plain(vec{0.5, 0.25, 0.15})),
	}
	for i := range 9 { // awning
		x := -1.6 + 0.22*float64(i)
		cloth := vec{0.62, 0.1, 0.08}
		if i%2 == 1 {
			cloth = vec{0.8, 0.77, 0.68}
		}
		s.solids = append(s.solids, solid{centre: vec{x, 1.9, -0.3}, radius: 0.6, colour: plain(cloth), distance: func(p vec) float64 {
			q := p.sub(vec{x, 1.92, -0.3})
			q[1] += -0.35 * q[2]
			return (math.Max(math.Max(math.Abs(q[0])-0.11, math.Abs(q[1])-0.02), math.Abs(q[2])-0.42)) * 0.85
		}})
	}
	for i := range 14 { // a bush in the pot
		a := float64(i) * 2.4
		s.solids = append(s.solids, sphere(vec{-2.1 + 0.2*math.Sin(a), 0.68 + 0.035*float64(i), -0.4 + 0.2*math.Cos(a)}, 0.15, func(p vec) vec {
			return vec{0.08, 0.2, 0.06}.scale(0.4 + 1.1*noise(p.scale(30)))
		}))
	}
	for i := range 2 {
		x := -0.7 + 1.7*float64(i)
		s.solids = append(s.solids, box(vec{x, 3.3, 0.09}, vec{0.42, 0.55, 0.05}, 0.02, plain(vec{0.75, 0.72, 0.64})),
			box(vec{x, 3.3, 0.05}, vec{0.36, 0.48, 0.04}, 0.01, glass).shiny(0.22), box(vec{x, 3.3, 0.02}, vec{0.02, 0.5, 0.03}, 0.005, plain(vec{0.75, 0.72, 0.64})))
	}
	return s
}

func platform() *scene {
	s := &scene{
		name: "image4", eye: vec{-1.9, 1.65, -4.4}, at: vec{0.6, 1.0, 3}, zoom: 1.35, far: 70, haze: 0.018,
		sun: vec{0.62, 0.5, -0.45}.unit(), sunlight: vec{1.05, 0.8, 0.55}, sky: day(vec{0.25, 0.33, 0.55}, vec{0.8, 0.66, 0.5}, 0.6),
	}
	body := func(p vec) vec {
		switch {
		case p[1] > 0.78 && p[1] < 0.86, p[1] > 1.72 && p[1] < 1.8:
			return vec{0.75, 0.68, 0.45}
		case p[1] < 0.95:
			return vec{0.1, 0.22, 0.17}.scale(0.8 + 0.3*rough(p.scale(7)))
		}
		return vec{0.5, 0.13, 0.1}.scale(0.8 + 0.3*rough(p.scale(5)))
	}
	steel := plain(vec{0.35, 0.35, 0.37})
	s.solids = []solid{
		ground(level(-0.55), func(p vec) vec { return vec{0.3, 0.27, 0.24}.scale(0.35 + 0.9*noise(p.scale(17))) }),
		box(vec{-1.9, -0.28, 8}, vec{2, 0.3, 14}, 0.02, stones(0.6, vec{0.42, 0.4, 0.37})),
		box(vec{-0.05, 0.025, 8}, vec{0.07, 0.006, 14}, 0, plain(vec{0.8, 0.68, 0.15})),
		box(vec{0.65, -0.46, 8}, vec{0.04, 0.06, 16}, 0.01, steel).shiny(0.3),
		box(vec{1.85, -0.46, 8}, vec{0.04, 0.06, 16}, 0.01, steel).shiny(0.3),
		box(vec{1.3, 1.05, 9.6}, vec{0.8, 1.05, 6}, 0.12, body).shiny(0.04),
		box(vec{1.3, 2.15, 9.6}, vec{0.7, 0.1, 5.9}, 0.08, plain(vec{0.25, 0.25, 0.27})),
		sphere(vec{0.95, 0.75, 3.58}, 0.11, plain(vec{1, 0.95, 0.75})), sphere(vec{1.65, 0.75, 3.58}, 0.11, plain(vec{1, 0.95, 0.75})),
		box(vec{1.3, 1.45, 3.58}, vec{0.52, 0.26, 0.05}, 0.04, plain(vec{0.05, 0.07, 0.09})).shiny(0.25),
		sign(vec{1.3, 1.05, 3.56}, 0.1, "LINE 4", vec{0.72, 0.7, 0.62}, vec{0.1, 0.1, 0.12}),
		sign(vec{-1.25, 2.0, 0.9}, 0.15, "Platform 2", vec{0.06, 0.12, 0.3}, vec{0.85, 0.85, 0.8}),
		cylinder(vec{-1.25, 1.2, 1}, 0.05, 0.05, 1.2, plain(vec{0.1, 0.16, 0.14})),
		box(vec{-2.9, 0.42, 2.4}, vec{0.5, 0.03, 0.9}, 0.01, planks(2, 0, 0.14, vec{0.4, 0.26, 0.14})),
		box(vec{-3.3, 0.7, 2.4}, vec{0.03, 0.22, 0.9}, 0.01, planks(2, 1, 0.12, vec{0.4, 0.26, 0.14})),
		box(vec{-2.2, 0.17, 0.6}, vec{0.3, 0.17, 0.16}, 0.04, plain(vec{0.35, 0.2, 0.1})),
		box(vec{-2.15, 0.45, 0.62}, vec{0.2, 0.12, 0.13}, 0.04, stripes(0, 0.11, vec{0.12, 0.2, 0.32}, vec{0.14, 0.24, 0.38})),
		box(vec{-3, 3.05, 9}, vec{1.9, 0.07, 9}, 0.02, planks(2, 0, 0.3, vec{0.3, 0.26, 0.2})),
	}
	clock := vec{-1.25, 2.62, 0.9}
	s.solids = append(s.solids, tube(clock, 0.33, 0.05, plain(vec{0.08, 0.09, 0.1})), tube(clock.sub(vec{0, 0, 0.03}), 0.29, 0.04, func(p vec) vec {
		q := p.sub(clock)
		r, a := math.Hypot(q[0], q[1])/0.29, math.Atan2(q[0], q[1])
		hand := func(angle, length, width float64) bool {
			along := q[0]*math.Sin(angle) + q[1]*math.Cos(angle)
			off := math.Abs(q[0]*math.Cos(angle) - q[1]*math.Sin(angle))
			return along > -0.03 && along < length && off < width
		}
		tick := math.Abs(math.Mod(a/(math.Pi/6)+12.5, 1) - 0.5)
		if hand(0.9, 0.24, 0.01) || hand(5.4, 0.16, 0.015) || r > 0.82 && r < 0.95 && tick < 0.08 {
			return vec{0.03, 0.03, 0.03}
		}
		return vec{0.85, 0.83, 0.76}
	}))
	for i := range 5 {
		z := 2.2 + 3.2*float64(i)
		s.solids = append(s.solids, cylinder(vec{-1.35, 1.5, z + 1.4}, 0.06, 0.05, 1.5, plain(vec{0.1, 0.2, 0.17})))
	}
	for i := range 6 {
		s.solids = append(s.solids, box(vec{0.5, 1.38, 4.6 + 1.8*float64(i)}, vec{0.04, 0.28, 0.55}, 0.04, plain(vec{0.06, 0.08, 0.1})).shiny(0.35))
	}
	for i := range 22 {
		s.solids = append(s.solids, box(vec{1.25, -0.53, -3 + 0.7*float64(i)}, vec{0.95, 0.04, 0.12}, 0.01, planks(0, 2, 0.3, vec{0.2, 0.15, 0.11})))
	}
	return s
}

func lighthouse() *scene {
	hill := func(x, z float64) float64 {
		return 0.9*math.Exp(-(x*x+(z-4)*(z-4))/9) + 0.1*rough(vec{x * 1.5, 0, z * 1.5}) - 0.2 - 0.9*smooth(3.5, 7, math.Abs(x-0.5)+0.25*z)
	}
	s := &scene{
		name: "image5", eye: vec{-1.3, 0.75, -3.4}, at: vec{0.1, 1.45, 3}, zoom: 1.45, far: 60, haze: 0.006,
		sun: vec{0.7, 0.36, -0.5}.unit(), sunlight: vec{1.15, 0.78, 0.48}, sky: day(vec{0.18, 0.27, 0.5}, vec{0.85, 0.58, 0.4}, 0.55),
	}
	s.solids = []solid{
		ground(func(x, z float64) float64 { return -0.45 + 0.03*noise(vec{x*3 + z, 0, z * 4}) }, func(vec) vec { return vec{0.03, 0.07, 0.1} }).shiny(0.3),
		ground(hill, func(p vec) vec {
			path := math.Abs(p[0] + 0.35 - 0.35*math.Sin(p[2]*0.9))
			return grass(p).mix(vec{0.45, 0.38, 0.28}.scale(0.6+0.7*rough(p.scale(15))), 1-smooth(0.12, 0.2, path+0.1*noise(p.scale(9))))
		}),
		cylinder(vec{0.2, 2.1, 4.6}, 0.62, 0.4, 1.6, stripes(1, 0.53, vec{0.8, 0.77, 0.7}, vec{0.6, 0.08, 0.06})),
		cylinder(vec{0.2, 3.74, 4.6}, 0.58, 0.58, 0.05, plain(vec{0.15, 0.15, 0.16})),
		cylinder(vec{0.2, 4.02, 4.6}, 0.3, 0.3, 0.25, plain(vec{0.9, 0.75, 0.4})).shiny(0.3),
		cylinder(vec{0.2, 4.42, 4.6}, 0.4, 0.05, 0.18, plain(vec{0.45, 0.08, 0.07})),
		box(vec{1.6, 0.95, 4.2}, vec{0.65, 0.42, 0.45}, 0.02, bricks(vec{0.6, 0.56, 0.48}, vec{0.7, 0.68, 0.6})),
		solid{centre: vec{1.6, 1.6, 4.2}, radius: 1, colour: planks(0, 1, 0.09, vec{0.33, 0.15, 0.12}), distance: func(p vec) float64 {
			q := p.sub(vec{1.6, 1.36, 4.2})
			return max(math.Abs(q[0])-0.74, (math.Abs(q[2])*0.75+q[1]-0.4)*0.8, -q[1])
		}},
		box(vec{1.45, 0.85, 3.74}, vec{0.15, 0.3, 0.03}, 0.01, planks(1, 0, 0.1, vec{0.1, 0.2, 0.3})),
		box(vec{1.95, 1, 3.74}, vec{0.14, 0.14, 0.02}, 0.01, plain(vec{0.9, 0.7, 0.35})),
		sign(vec{-1.15, 0.78, 0.35}, 0.09, "NORTH LIGHT 1904", vec{0.62, 0.55, 0.42}, vec{0.12, 0.07, 0.04}),
		cylinder(vec{-1.75, 0.4, 0.4}, 0.03, 0.03, 0.4, planks(1, 0, 0.05, vec{0.35, 0.27, 0.18})),
		cylinder(vec{-0.55, 0.4, 0.4}, 0.03, 0.03, 0.4, planks(1, 0, 0.05, vec{0.35, 0.27, 0.18})),
	}
	for i := range 9 {
		x := 0.5 + 0.42*float64(i)
		z := 1.4 + 0.05*float64(i)
		s.solids = append(s.solids, box(vec{x, hill(x, z) + 0.22, z}, vec{0.035, 0.26, 0.03}, 0.01, planks(1, 0, 0.05, vec{0.72, 0.7, 0.64})))
	}
	s.solids = append(s.solids, box(vec{2.2, 0.45, 1.6}, vec{1.8, 0.03, 0.02}, 0.01, planks(0, 1, 0.05, vec{0.72, 0.7, 0.64})),
		box(vec{2.2, 0.28, 1.6}, vec{1.8, 0.03, 0.02}, 0.01, planks(0, 1, 0.05, vec{0.72, 0.7, 0.64})))
	for i := range 12 {
		a := float64(i) * 2.4
		x, z := -2.6+0.6*math.Sin(a), 2.2+0.7*math.Cos(a)
		s.solids = append(s.solids, sphere(vec{x, hill(x, z) + 0.14, z}, 0.22+0.05*math.Sin(5*a), func(p vec) vec {
			return vec{0.1, 0.17, 0.06}.mix(vec{0.55, 0.4, 0.08}, smooth(0.62, 0.7, noise(p.scale(24)))).scale(0.4 + noise(p.scale(32)))
		}))
	}
	return s
}

func workshop() *scene {
	s := &scene{
		name: "image6", eye: vec{0.3, 1.35, -3.9}, at: vec{0, 1.05, 0}, zoom: 1.75, far: 20, haze: 0,
		sun: vec{0.55, 0.55, -0.62}.unit(), sunlight: vec{1, 0.92, 0.76},
		sky: func(d vec) vec { return vec{0.3, 0.31, 0.34}.mix(vec{0.5, 0.52, 0.55}, max(d[1], 0)) },
	}
	pine := vec{0.55, 0.4, 0.22}
	screws, washers := write("M6 x 40"), write("WASHERS")
	s.solids = []solid{
		box(vec{0, 1.2, 0.75}, vec{4, 3, 0.1}, 0, planks(1, 0, 0.33, vec{0.3, 0.34, 0.33})),
		box(vec{0, -0.12, 0}, vec{4, 0.1, 1.6}, 0.01, planks(0, 2, 0.3, vec{0.4, 0.3, 0.2})),
		box(vec{0, 0.86, 0.3}, vec{1.8, 0.04, 0.36}, 0.01, planks(0, 2, 0.25, pine)),
		box(vec{0, 1.72, 0.3}, vec{1.8, 0.04, 0.36}, 0.01, planks(0, 2, 0.25, pine)),
		box(vec{-1.84, 1, 0.3}, vec{0.05, 1.2, 0.38}, 0.01, planks(1, 2, 0.25, pine)),
		box(vec{1.84, 1, 0.3}, vec{0.05, 1.2, 0.38}, 0.01, planks(1, 2, 0.25, pine)),
		crate(vec{-1.3, 0.33, 0.05}, 0.34, vec{0.45, 0.32, 0.19}, "TOOLS"),
		box(vec{-0.35, 0.22, 0}, vec{0.38, 0.23, 0.3}, 0.02, screws.on(plain(vec{0.2, 0.3, 0.42}), vec{-0.35, 0.22, -0.2}, screws.fitting(0.1, 0.38), vec{0.85, 0.83, 0.75})),
		box(vec{-0.3, 0.58, 0.05}, vec{0.3, 0.12, 0.24}, 0.02, washers.on(plain(vec{0.45, 0.18, 0.1}), vec{-0.3, 0.58, -0.1}, washers.fitting(0.07, 0.3), vec{0.9, 0.85, 0.7})),
		cylinder(vec{0.62, 0.28, 0}, 0.25, 0.25, 0.28, stripes(1, 0.14, vec{0.7, 0.66, 0.55}, vec{0.15, 0.3, 0.2})).shiny(0.05),
		cylinder(vec{1.28, 0.36, 0.1}, 0.3, 0.3, 0.36, func(p vec) vec {
			if p[1] > 0.2 && p[1] < 0.52 {
				return paintLabel(p)
			}
			return vec{0.45, 0.45, 0.47}.scale(0.8 + 0.3*rough(p.scale(9)))
		}).shiny(0.08),
		sign(vec{0, 2.12, 0.5}, 0.14, "KEEP TIDY", vec{0.8, 0.66, 0.12}, vec{0.06, 0.06, 0.06}),
		box(vec{-1.2, 1.98, 0.2}, vec{0.4, 0.2, 0.22}, 0.03, plain(vec{0.36, 0.1, 0.1})),
		box(vec{-1.2, 2.22, 0.2}, vec{0.16, 0.03, 0.03}, 0.02, plain(vec{0.1, 0.1, 0.1})),
		box(vec{1.25, 1.9, 0.25}, vec{0.34, 0.13, 0.2}, 0.02, planks(0, 1, 0.08, vec{0.5, 0.36, 0.22})),
	}
	colours := []vec{{0.6, 0.42, 0.12}, {0.2, 0.35, 0.2}, {0.5, 0.16, 0.12}, {0.24, 0.28, 0.45}, {0.55, 0.5, 0.4}, {0.35, 0.22, 0.3}}
	for i, c := range colours { // jars of nails, screws and paint
		x := -1.45 + 0.46*float64(i)
		s.solids = append(s.solids,
			cylinder(vec{x, 1.12, 0.15}, 0.16, 0.16, 0.22, func(p vec) vec {
				if math.Abs(p[1]-1.12) < 0.075 && p[2] < 0.12 {
					if math.Mod(p[1]*40+0.2*noise(p.scale(40)), 1) < 0.3 && math.Abs(p[0]-x) < 0.08 {
						return vec{0.1, 0.1, 0.12}
					}
					return vec{0.85, 0.82, 0.72}
				}
				return c.scale(0.35 + 1.1*noise(vec{p[0] * 30, p[1] * 34, p[2] * 30}))
			}).shiny(0.09),
			cylinder(vec{x, 1.37, 0.15}, 0.165, 0.165, 0.03, plain(vec{0.6, 0.58, 0.52})).shiny(0.2))
	}
	for i := range 5 { // books of tables on the side
		s.solids = append(s.solids, box(vec{1.2 + 0.12*float64(i), 1.1, 0.2}, vec{0.05, 0.2 + 0.02*float64(i%3), 0.2}, 0.01, plain(colours[(i+2)%len(colours)])))
	}
	return s
}

// paintLabel is the label around the paint can.
func paintLabel(p vec) vec {
	if math.Mod(math.Abs(p[1]*25), 1) < 0.2 {
		return vec{0.7, 0.15, 0.1}
	}
	return vec{0.8, 0.77, 0.66}.scale(0.9 + 0.2*noise(p.scale(20)))
}
