package geotrack

// block is a run of points whose places are equal on both sides.
type block struct{ ref, got, size int }

// matchingBlocks pairs two sequences of places as package ratio counts its
// matches: the longest common block first (of equals the earliest in the
// reference, then in the candidate), then both sides of it. In a candidate of
// 200 points or more a place that occurs more than n/100 + 1 times starts no
// block.
func matchingBlocks(ref, got []key) []block {
	places := placesOf(ref, got)
	var blocks []block
	type window struct{ refLow, refHigh, gotLow, gotHigh int }
	todo := []window{{0, len(ref), 0, len(got)}}
	runs, next := make([]int32, len(got)+1), make([]int32, len(got)+1)
	for len(todo) > 0 {
		w := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		b := block{ref: w.refLow, got: w.gotLow}
		var before []int32
		for row := w.refLow; row < w.refHigh; row++ {
			here := within(places[row], w.gotLow, w.gotHigh)
			for _, col := range here {
				run := runs[col] + 1
				next[col+1] = run
				if int(run) > b.size {
					b = block{row - int(run) + 1, int(col) - int(run) + 1, int(run)}
				}
			}
			for _, col := range before {
				runs[col+1] = 0
			}
			runs, next = next, runs
			before = here
		}
		for _, col := range before {
			runs[col+1] = 0
		}
		for b.ref > w.refLow && b.got > w.gotLow && ref[b.ref-1] == got[b.got-1] {
			b = block{b.ref - 1, b.got - 1, b.size + 1}
		}
		for b.ref+b.size < w.refHigh && b.got+b.size < w.gotHigh && ref[b.ref+b.size] == got[b.got+b.size] {
			b.size++
		}
		if b.size == 0 {
			continue
		}
		blocks = append(blocks, b)
		if w.refLow < b.ref && w.gotLow < b.got {
			todo = append(todo, window{w.refLow, b.ref, w.gotLow, b.got})
		}
		if b.ref+b.size < w.refHigh && b.got+b.size < w.gotHigh {
			todo = append(todo, window{b.ref + b.size, w.refHigh, b.got + b.size, w.gotHigh})
		}
	}
	return blocks
}

// placesOf returns for each point of the reference where its place occurs in
// the candidate, in ascending order.
func placesOf(ref, got []key) [][]int32 {
	occurs := make(map[key][]int32, len(got))
	for j, k := range got {
		occurs[k] = append(occurs[k], int32(j))
	}
	const popularFrom = 200
	if len(got) >= popularFrom {
		most := len(got)/100 + 1
		for k, places := range occurs {
			if len(places) > most {
				delete(occurs, k)
			}
		}
	}
	places := make([][]int32, len(ref))
	for i, k := range ref {
		places[i] = occurs[k]
	}
	return places
}

// within returns the part of ascending places that lies in [low, high).
func within(places []int32, low, high int) []int32 {
	for len(places) > 0 && int(places[0]) < low {
		places = places[1:]
	}
	for len(places) > 0 && int(places[len(places)-1]) >= high {
		places = places[:len(places)-1]
	}
	return places
}
