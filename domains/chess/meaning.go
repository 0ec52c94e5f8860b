package chess

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/chess"
	"agentd/vfs"
)

const (
	gameKind      = "game"
	tagKind       = "tag"
	variationKind = "move of a variation"
	commentKind   = "comment"
	lineKind      = "line"
	// gameField names the game that an element belongs to.
	gameField = "game"
	// gamePlies is the room that positions leave for the moves of a game.
	gamePlies = 1 << 24
)

// elements flattens a document. Files of any name are read.
func elements(files vfs.Files) []domains.Element {
	var f flattener
	for _, name := range files.Names() {
		d := Read(files[name])
		for _, g := range d.Games {
			f.lines(g.Above)
			f.game(g)
		}
		f.lines(d.Below)
	}
	return f.all
}

type flattener struct {
	all      []domains.Element
	games    int
	foreign  int // lines
	label    string
	title    string // how a person would call the game in hand
	position int    // of the last move of the main line
	aside    int    // of the last move of a variation
}

func (f *flattener) lines(lines []string) {
	f.all = slices.Grow(f.all, len(lines))
	for _, line := range lines {
		f.line("line", line)
	}
}

func (f *flattener) line(what, text string) {
	f.foreign++
	f.all = append(f.all, domains.Element{
		Kind: lineKind, Key: what + " " + strconv.Itoa(f.foreign),
		Fields: []domains.Field{{Value: text}}, Position: f.foreign,
	})
}

func (f *flattener) game(g *Game) {
	f.games++
	f.label = strconv.Itoa(f.games)
	f.title = "game " + f.label
	if white, black := gameValue(g, "White"), gameValue(g, "Black"); white != "" && black != "" {
		f.title = white + " – " + black
	}
	head := domains.Element{
		Kind: gameKind, Key: f.title, Position: f.games,
		Fields: []domains.Field{{Name: gameField, Value: f.label}},
	}
	for i := range g.Items {
		if g.Items[i].Kind == ResultItem {
			head.Fields = append(head.Fields, domains.Field{Name: "result after the moves", Value: g.Items[i].Text})
		}
	}
	f.all = append(f.all, head)
	for _, t := range g.Tags {
		f.tag(t)
	}
	for range g.Gaps {
		f.line("empty line", "above the moves")
	}
	f.moves(g)
}

// tag makes an element of a tag. One that the format requires although nothing is known says nothing.
func (f *flattener) tag(t Tag) {
	value := pytext.Strip(t.Value)
	if missing, required := published.Roster[t.Name]; required && value == missing {
		return
	}
	f.all = append(f.all, domains.Element{
		Kind: tagKind, Key: f.title + ", " + t.Name,
		Fields: []domains.Field{{Name: gameField, Value: f.label}, {Name: t.Name, Value: value}},
	})
}

func (f *flattener) moves(g *Game) {
	f.position, f.aside = f.games*gamePlies, f.games*gamePlies
	f.all = slices.Grow(f.all, len(g.Items))
	f.play(g.Items, begin(g), "")
}

// play makes elements of a line of play. next to names the variation, "" is the main line.
func (f *flattener) play(items []Item, at play, beside string) {
	here := -1 // the element of the last move
	variations := 0
	var last step
	var texts []string
	flush := func() {
		if len(texts) > 0 {
			f.annotate(here, beside, texts)
			texts = texts[:0]
		}
	}
	for k := range items {
		switch i := &items[k]; i.Kind {
		case MoveItem:
			flush()
			last = at.step(i)
			here, variations = len(f.all), 0
			room := 2 // for the fields
			if k+1 < len(items) && items[k+1].Kind != MoveItem {
				room = 6
			}
			f.all = plain.Append(f.all, f.move(i, &last, beside, room))
		case MarkItem:
			if here < 0 {
				f.line("mark", "$"+i.Text)
				continue
			}
			f.all[here].Fields = append(f.all[here].Fields, domains.Field{Name: "mark", Value: "$" + i.Text})
		case CommentItem, RestItem:
			texts = append(texts, i.Text)
		case VariationItem:
			variations++
			f.play(i.Line, at.aside(), beside+last.turn()+" ("+strconv.Itoa(variations)+")")
		case ForeignItem:
			f.line("text in the moves", pytext.Collapse(i.Text))
		case BlankItem:
			f.line("empty line", "within the moves")
		case EscapeItem:
			f.line("line", "%"+i.Text)
		}
	}
	flush()
}

func (f *flattener) move(i *Item, s *step, beside string, room int) domains.Element {
	e := domains.Element{Kind: counted, Key: f.title + ", " + s.turn()}
	e.Fields = make([]domains.Field, 0, room)
	e.Fields = append(e.Fields, domains.Field{Name: gameField, Value: f.label})
	if beside == "" {
		f.position++
		e.Position = f.position
	} else {
		f.aside++
		e.Kind, e.Key, e.Position = variationKind, f.title+", beside "+beside+" "+s.turn(), f.aside
		e.Fields = append(e.Fields, domains.Field{Name: "variation", Value: beside})
	}
	text := strings.TrimRight(PlainPieces(i.Text), "+#")
	if s.known {
		e.Fields = append(e.Fields, domains.Field{Name: "move", Value: uci(s.move)})
	} else {
		e.Fields = append(e.Fields, domains.Field{Name: "move", Value: text})
	}
	n, _ := published.ReadNotation(text)
	saysOrigin := n.Piece != 0 && (n.File != published.NoSquare || n.Rank != published.NoSquare)
	figurine := PlainPieces(i.Text) != i.Text
	if figurine || s.err == published.ErrAmbiguous || s.err != nil && saysOrigin {
		e.Fields = append(e.Fields, domains.Field{Name: "as written", Value: strings.TrimRight(i.Text, "+#")})
	}
	return e
}

// annotate adds what comments say to a move, or makes an element of them before the first move.
func (f *flattener) annotate(here int, beside string, texts []string) {
	if here < 0 {
		here = len(f.all)
		e := domains.Element{
			Kind: commentKind, Key: f.title + ", comment before the moves",
			Fields: []domains.Field{{Name: gameField, Value: f.label}},
		}
		if beside != "" {
			e.Key = f.title + ", comment before " + beside
			e.Fields = append(e.Fields, domains.Field{Name: "variation", Value: beside})
		}
		f.all = append(f.all, e)
	}
	e := &f.all[here]
	commands, text := splitComment(strings.Join(texts, " "))
	e.Fields = append(e.Fields, commands...)
	if text != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "comment", Value: text})
	}
}

// splitComment divides a comment into text, of which white space that is repeated
// means nothing, and remarks for programs, as in [%clk 0:09:58].
func splitComment(comment string) (commands []domains.Field, text string) {
	var b strings.Builder
	for comment != "" {
		before, rest, found := strings.Cut(comment, "[%")
		inside, after, closed := strings.Cut(rest, "]")
		if !found || !closed {
			b.WriteString(comment)
			break
		}
		b.WriteString(before)
		b.WriteByte(' ')
		name, value, _ := strings.Cut(pytext.Collapse(inside), " ")
		commands = append(commands, commandField(name, value))
		comment = after
	}
	return commands, pytext.Collapse(b.String())
}

// numeric are the commands that have numbers, with what stands between these.
var numeric = map[string]string{"eval": ",", "clk": ":", "emt": ":", "egt": ":", "mct": ":"}

// commandField compares evaluations and times by value.
func commandField(name, value string) domains.Field {
	if mark := numeric[name]; mark != "" {
		value = strings.Join(lists.Map(strings.Split(value, mark), plain.Number), mark)
	}
	if name == "eval" {
		return domains.Field{Name: "evaluation", Value: value}
	}
	return domains.Field{Name: "%" + name, Value: value}
}

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

// gamePrint is by what a game is known again: all of it, its roster, its moves, or nothing.
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
			if _, required := published.Roster[f.Name]; required && e.Kind == tagKind {
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

func squareName(square int) string {
	return string([]byte{'a' + byte(published.FileOf(square)), '1' + byte(published.RankOf(square))})
}

// uci is the move in coordinates.
func uci(m published.Move) string {
	if m == (published.Move{}) {
		return "0000"
	}
	text := squareName(int(m.From)) + squareName(int(m.To))
	if m.Promotion != 0 {
		text += strings.ToLower(string(m.Promotion))
	}
	return text
}

// runs writes empty squares as their number.
var runs = strings.NewReplacer("11111111", "8", "1111111", "7", "111111", "6", "11111", "5", "1111", "4", "111", "3", "11", "2")

// fen writes the position. The square of a capture en passant is named only where one is legal.
func positionFen(p *published.Position) string {
	var ranks []string
	for rank := range slices.Chunk(p.Squares[:], 8) {
		ranks = append(ranks, strings.ReplaceAll(string(rank), "\x00", "1"))
	}
	slices.Reverse(ranks)
	turn := "w"
	if p.Black {
		turn = "b"
	}
	board := runs.Replace(strings.Join(ranks, "/"))
	return fmt.Sprintf("%s %s %s %s %d %d", board, turn, castlingRights(p), positionPassant(p), p.Quiet, p.Number)
}

func castlingRights(p *published.Position) string {
	var rights []byte
	for _, black := range [2]bool{false, true} {
		for file := 7; file >= 0; file-- {
			right := byte('A' + file)
			switch {
			case p.Castling>>published.Square(file, published.BackRank(black))&1 == 0:
				continue
			case !p.Shuffled && file == 0:
				right = 'Q'
			case !p.Shuffled:
				right = 'K'
			}
			rights = append(rights, published.Letter(right, black))
		}
	}
	return cmp.Or(string(rights), "-")
}

func positionPassant(p *published.Position) string {
	if p.EnPassant == published.NoSquare {
		return "-"
	}
	to := int(p.EnPassant)
	for from, piece := range p.Squares {
		if piece == p.Ours('P') && published.FileOf(from) != published.FileOf(to) && p.Reaches(from, to) && p.Safe(published.Move{From: int8(from), To: int8(to)}) {
			return squareName(to)
		}
	}
	return "-"
}

// wellFormed checks that comments, variations and the texts of tags are closed, and that a game ends with its result.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{";"}, AtStart: []string{"%", "["}, Block: [][2]string{{"{", "}"}}, Brackets: "()"}.Check,
	wellformed.Not(`^\s*\[\w+\s+(?:[^"]|"(?:[^"\\]|\\.)*"?\s*$|"(?:[^"\\]|\\.)*$)`, "a tag is not closed"),
	wellformed.Ends(`(?:1-0|0-1|1/2-1/2|\*)\s*(?:\{[^}]*\}|;.*)?$`, "the last game has no result"),
	misnumbered,
)

// counted is the kind of element that moves of a main line are.
const counted = "ply"
