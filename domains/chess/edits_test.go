package chess

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const cup = "thirlmere_cup_final.pgn"

func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), environment) }

const casual = `% from the club's book
[Event "Casual"]
[Site "?"]
[White "Lace, Hilda"]
[Black "Nixon, J."]
[Result "0-1"]
[TimeControl "300+3"]

{By the "fire".} 1. f3?! {[%eval -0.6] [%clk 0:04:58]} 1... e5 $1 {[%eval -0.7] [%clk 0:05:02]}
2. g4?? {[%eval #-1] [%clk 0:04:59] oh} (2. e4 Nf6 (2... d5 {too}) 3. d3) 2... Qh4# {[%eval #-0]} 0-1

[Event "Casual"]
[White "Nixon, J."]
[Black "Lace, Hilda"]
[Result "1/2-1/2"]
[FEN "4k3/P6p/8/3pP3/8/8/8/R3K3 w Q d6 4 10"]
[SetUp "1"]

10. exd6 Kf7 $10 11. a8=Q {[%eval 9.75]} h5 12. Qf3+ {[%eval 6.5]} Ke8 13. O-O-O 1/2-1/2
`

func TestEdits(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{cup: casual}, forwardResults, domaintest.InMeaning)
}

// What is missing or wrong is named.
func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"game_files", vfs.Files{"game_01.pgn": casual}, "index.csv is missing"},
		{"evaluation_table", vfs.Files{"no_evals.pgn": casual, "evals.csv": "game,ply,value\n3,1,0\n"}, "reading evals.csv: there is no game 3 among 2"},
		{"opening_split", vfs.Files{"opening.pgn": casual, "play.pgn": "1. e4 *\n"}, "2 openings, but 1 games in play.pgn"},
		{"side_lines", vfs.Files{"main_line.pgn": casual, "lines.csv": "game,ply,variation\n2,99,1. e4\n"}, "game 2, ply 99: there is no such ply"},
		{"coordinates", vfs.Files{"coordinates.pgn": ""}, "no .pgn file with a game"},
		{"time_spent", vfs.Files{"time_spent.pgn": "1. e4 {[%emt 0:00:01]} *\n"}, `game 1: time control ""`},
	} {
		if _, err := domaintest.Edit(t, demonstration(t), c.edit).Backward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

var forwardResults = map[string]vfs.Files{
	"game_files": {
		"game_01.pgn": `[Event "Casual"]
[White "Nixon, J."]
[Black "Lace, Hilda"]
[Result "1/2-1/2"]
[FEN "4k3/P6p/8/3pP3/8/8/8/R3K3 w Q d6 4 10"]
[SetUp "1"]

10. exd6 Kf7 $10 11. a8=Q {[%eval 9.75]} 11... h5 12. Qf3+ {[%eval 6.5]} 12... Ke8
13. O-O-O 1/2-1/2
`,
		"game_02.pgn": `% from the club's book
[Event "Casual"]
[Site "?"]
[White "Lace, Hilda"]
[Black "Nixon, J."]
[Result "0-1"]
[TimeControl "300+3"]

{By the "fire".} 1. f3?! {[%eval -0.6] [%clk 0:04:58]} 1... e5!
{[%eval -0.7] [%clk 0:05:02]} 2. g4?? {[%eval #-1] [%clk 0:04:59] oh} (2. e4 Nf6 (2... d5
{too}) 3. d3) 2... Qh4# {[%eval #-0]} 0-1
`,
		"index.csv": `file,position,white,black,result,plies
game_01.pgn,2,"Nixon, J.","Lace, Hilda",1/2-1/2,7
game_02.pgn,1,"Lace, Hilda","Nixon, J.",0-1,4
`,
	},
	"evaluation_table": {
		"evals.csv": `game,ply,side,value,change,class
1,1,white,-0.6,-0.6,inaccuracy
1,2,black,-0.7,-0.1,
1,3,white,#-1,,
1,4,black,#-0,,
2,3,white,9.75,9.75,
2,5,white,6.5,-3.25,blunder
`,
		"no_evals.pgn": `% from the club's book
[Event "Casual"]
[Site "?"]
[White "Lace, Hilda"]
[Black "Nixon, J."]
[Result "0-1"]
[TimeControl "300+3"]

{By the "fire".} 1. f3?! {[%clk 0:04:58]} 1... e5! {[%clk 0:05:02]} 2. g4??
{[%clk 0:04:59] oh} (2. e4 Nf6 (2... d5 {too}) 3. d3) 2... Qh4# 0-1

[Event "Casual"]
[White "Nixon, J."]
[Black "Lace, Hilda"]
[Result "1/2-1/2"]
[FEN "4k3/P6p/8/3pP3/8/8/8/R3K3 w Q d6 4 10"]
[SetUp "1"]

10. exd6 Kf7 $10 11. a8=Q h5 12. Qf3+ Ke8 13. O-O-O 1/2-1/2
`,
	},
	"coordinates": {
		"coordinates.pgn": `% from the club's book
[Event "Casual"]
[Site "?"]
[White "Lace, Hilda"]
[Black "Nixon, J."]
[Result "0-1"]
[TimeControl "300+3"]

{By the "fire".} 1. f2f3?! {[%eval -0.6] [%clk 0:04:58]} 1... e7e5!
{[%eval -0.7] [%clk 0:05:02]} 2. g2g4?? {[%eval #-1] [%clk 0:04:59] oh} (2. e2e4 g8f6 (2... d7d5
{too}) 3. d2d3) 2... d8h4 {[%eval #-0]} 0-1

[Event "Casual"]
[White "Nixon, J."]
[Black "Lace, Hilda"]
[Result "1/2-1/2"]
[FEN "4k3/P6p/8/3pP3/8/8/8/R3K3 w Q d6 4 10"]
[SetUp "1"]

10. e5d6 e8f7 $10 11. a7a8q {[%eval 9.75]} 11... h7h5 12. a8f3 {[%eval 6.5]} 12... f7e8
13. e1c1 1/2-1/2
`,
	},
	"json": {
		"games.json": `[
 {
  "above": [
   "% from the club's book"
  ],
  "tags": {
   "Black": "Nixon, J.",
   "Event": "Casual",
   "Result": "0-1",
   "Site": "?",
   "TimeControl": "300+3",
   "White": "Lace, Hilda"
  },
  "comments": [
   "By the \"fire\"."
  ],
  "moves": [
   {
    "move": "1. f3",
    "nags": [
     6
    ],
    "comments": [
     "[%eval -0.6] [%clk 0:04:58]"
    ]
   },
   {
    "move": "1... e5",
    "nags": [
     1
    ],
    "comments": [
     "[%eval -0.7] [%clk 0:05:02]"
    ]
   },
   {
    "move": "2. g4",
    "nags": [
     4
    ],
    "comments": [
     "[%eval #-1] [%clk 0:04:59] oh"
    ],
    "variations": [
     {
      "moves": [
       {
        "move": "2. e4"
       },
       {
        "move": "2... Nf6",
        "variations": [
         {
          "moves": [
           {
            "move": "2... d5",
            "comments": [
             "too"
            ]
           }
          ]
         }
        ]
       },
       {
        "move": "3. d3"
       }
      ]
     }
    ]
   },
   {
    "move": "2... Qh4#",
    "comments": [
     "[%eval #-0]"
    ]
   }
  ],
  "result": "0-1"
 },
 {
  "tags": {
   "Black": "Lace, Hilda",
   "Event": "Casual",
   "FEN": "4k3/P6p/8/3pP3/8/8/8/R3K3 w Q d6 4 10",
   "Result": "1/2-1/2",
   "SetUp": "1",
   "White": "Nixon, J."
  },
  "moves": [
   {
    "move": "10. exd6"
   },
   {
    "move": "10... Kf7",
    "nags": [
     10
    ]
   },
   {
    "move": "11. a8=Q",
    "comments": [
     "[%eval 9.75]"
    ]
   },
   {
    "move": "11... h5"
   },
   {
    "move": "12. Qf3+",
    "comments": [
     "[%eval 6.5]"
    ]
   },
   {
    "move": "12... Ke8"
   },
   {
    "move": "13. O-O-O"
   }
  ],
  "result": "1/2-1/2"
 }
]
`,
	},
	"capture_log": {
		"captures.csv": `number,game,move,piece,taken,square,balance
1,2,10.,pawn,pawn,d6,+6
`,
		"tagged.pgn": `% from the club's book
[Event "Casual"]
[Site "?"]
[White "Lace, Hilda"]
[Black "Nixon, J."]
[Result "0-1"]
[TimeControl "300+3"]

{By the "fire".} 1. f3?! {[%eval -0.6] [%clk 0:04:58]} 1... e5!
{[%eval -0.7] [%clk 0:05:02]} 2. g4?? {[%eval #-1] [%clk 0:04:59] oh} (2. e4 Nf6 (2... d5
{too}) 3. d3) 2... Qh4# {[%eval #-0]} 0-1

[Event "Casual"]
[White "Nixon, J."]
[Black "Lace, Hilda"]
[Result "1/2-1/2"]
[FEN "4k3/P6p/8/3pP3/8/8/8/R3K3 w Q d6 4 10"]
[SetUp "1"]

10. exd6 {[#1]} 10... Kf7 $10 11. a8=Q {[%eval 9.75]} 11... h5 12. Qf3+ {[%eval 6.5]}
12... Ke8 13. O-O-O 1/2-1/2
`,
	},
	"opening_split": {
		"opening.pgn": `% from the club's book
[Event "Casual"]
[Site "?"]
[White "Lace, Hilda"]
[Black "Nixon, J."]
[Result "0-1"]
[TimeControl "300+3"]

{By the "fire".} 1. f3?! {[%eval -0.6] [%clk 0:04:58]} 1... e5!
{[%eval -0.7] [%clk 0:05:02]} 2. g4?? {[%eval #-1] [%clk 0:04:59] oh} (2. e4 Nf6 (2... d5
{too}) 3. d3) 2... Qh4# {[%eval #-0]} *

[Event "Casual"]
[White "Nixon, J."]
[Black "Lace, Hilda"]
[Result "1/2-1/2"]
[FEN "4k3/P6p/8/3pP3/8/8/8/R3K3 w Q d6 4 10"]
[SetUp "1"]

10. exd6 Kf7 $10 *
`,
		"play.pgn": `[Event "Casual"]
[Site "?"]
[White "Lace, Hilda"]
[Black "Nixon, J."]
[Result "0-1"]
[TimeControl "300+3"]
[SetUp "1"]
[FEN "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"]

0-1

[Event "Casual"]
[White "Nixon, J."]
[Black "Lace, Hilda"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "8/P4k1p/3P4/8/8/8/8/R3K3 w Q - 1 11"]

11. a8=Q {[%eval 9.75]} 11... h5 12. Qf3+ {[%eval 6.5]} 12... Ke8 13. O-O-O 1/2-1/2
`,
	},
	"time_spent": {
		"time_spent.pgn": `% from the club's book
[Event "Casual"]
[Site "?"]
[White "Lace, Hilda"]
[Black "Nixon, J."]
[Result "0-1"]
[TimeControl "300+3"]

{By the "fire".} 1. f3?! {[%eval -0.6] [%emt 0:00:05]} 1... e5!
{[%eval -0.7] [%emt 0:00:01]} 2. g4?? {[%eval #-1] [%emt 0:00:02] oh} (2. e4 Nf6 (2... d5
{too}) 3. d3) 2... Qh4# {[%eval #-0]} 0-1

[Event "Casual"]
[White "Nixon, J."]
[Black "Lace, Hilda"]
[Result "1/2-1/2"]
[FEN "4k3/P6p/8/3pP3/8/8/8/R3K3 w Q d6 4 10"]
[SetUp "1"]

10. exd6 Kf7 $10 11. a8=Q {[%eval 9.75]} 11... h5 12. Qf3+ {[%eval 6.5]} 12... Ke8
13. O-O-O 1/2-1/2
`,
	},
	"side_lines": {
		"lines.csv": `game,ply,variation
1,3,2. e4 Nf6 (2... d5 {too}) 3. d3
`,
		"main_line.pgn": `% from the club's book
[Event "Casual"]
[Site "?"]
[White "Lace, Hilda"]
[Black "Nixon, J."]
[Result "0-1"]
[TimeControl "300+3"]

{By the "fire".} 1. f3?! {[%eval -0.6] [%clk 0:04:58]} 1... e5!
{[%eval -0.7] [%clk 0:05:02]} 2. g4?? {[%eval #-1] [%clk 0:04:59] oh} 2... Qh4#
{[%eval #-0]} 0-1

[Event "Casual"]
[White "Nixon, J."]
[Black "Lace, Hilda"]
[Result "1/2-1/2"]
[FEN "4k3/P6p/8/3pP3/8/8/8/R3K3 w Q d6 4 10"]
[SetUp "1"]

10. exd6 Kf7 $10 11. a8=Q {[%eval 9.75]} 11... h5 12. Qf3+ {[%eval 6.5]} 12... Ke8
13. O-O-O 1/2-1/2
`,
	},
}
