package chess

import (
	"hash/maphash"
	"slices"
	"strconv"

	"agentd/domains"
)

// alignGames gives the games of a candidate the names of those games of the
// reference that they are, so that one game lost or moved changes no other.
func alignGames(reference, candidate []domains.Element) ([]domains.Element, []domains.Element) {
	ref, got := gamesOf(reference), gamesOf(candidate)
	partners := pairGames(ref, got)
	same := true
	for at, partner := range partners {
		same = same && at == partner
	}
	if same {
		return reference, candidate
	}
	labels, offsets := map[string]string{}, map[string]int{}
	for at, partner := range partners {
		old := strconv.Itoa(at + 1)
		labels[old] = strconv.Itoa(partner + 1)
		if partner >= len(ref) {
			labels[old] = "more " + strconv.Itoa(partner-len(ref)+1)
		}
		offsets[old] = (partner - at) * gamePlies
	}
	aligned := slices.Clone(candidate)
	for i := range aligned {
		e := &aligned[i]
		if len(e.Fields) == 0 || e.Fields[0].Name != gameField {
			continue
		}
		old := e.Fields[0].Value
		e.Fields = slices.Clone(e.Fields)
		e.Fields[0].Value = labels[old]
		if e.Kind != gameKind && e.Position > 0 {
			e.Position += offsets[old]
		}
	}
	return reference, aligned
}

// gamePrint is by what a game is known again: all of it, its roster, its moves, or
// nothing.
type gamePrint [4]uint64

const (
	byAll = iota
	byRoster
	byMoves
)

// seed makes prints comparable within this process.
var seed = maphash.MakeSeed()

func gamesOf(elements []domains.Element) []gamePrint {
	var games []gamePrint
	mix := func(sum *uint64, f domains.Field) {
		const spread = 0x9e3779b97f4a7c15
		*sum = (*sum^maphash.String(seed, f.Name))*spread + maphash.String(seed, f.Value)
	}
	for i := range elements {
		e := &elements[i]
		if e.Kind == gameKind {
			games = append(games, gamePrint{})
			continue
		}
		if len(games) == 0 || len(e.Fields) == 0 || e.Fields[0].Name != gameField {
			continue
		}
		g := &games[len(games)-1]
		for _, f := range e.Fields[1:] {
			mix(&g[byAll], f)
			if _, required := roster[f.Name]; required && e.Kind == tagKind {
				g[byRoster] += maphash.String(seed, f.Name+"\x00"+f.Value) // tags have no order
			}
			if f.Name == "move" && e.Kind == counted {
				mix(&g[byMoves], f)
			}
		}
	}
	return games
}

// pairGames returns for each game of the candidate the number of its partner in
// the reference, from 0; games without one count on after the reference's.
func pairGames(ref, got []gamePrint) []int {
	partners, taken := slices.Repeat([]int{-1}, len(got)), make([]bool, len(ref))
	for by := range len(gamePrint{}) {
		free := map[uint64][]int{}
		for at, g := range ref {
			if !taken[at] {
				free[g[by]] = append(free[g[by]], at)
			}
		}
		for at, g := range got {
			if queue := free[g[by]]; partners[at] < 0 && len(queue) > 0 {
				partners[at], taken[queue[0]] = queue[0], true
				free[g[by]] = queue[1:]
			}
		}
	}
	more := len(ref)
	for at := range partners {
		if partners[at] < 0 {
			partners[at] = more
			more++
		}
	}
	return partners
}
