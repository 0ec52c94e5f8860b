package musicsheet

import (
	"strings"

	"agentd/domains/internal/sets"
)

// isPrefix has the commands that say how the music or the words after them are to be read.
var isPrefix = sets.Words(`\relative \absolute \fixed \transpose \repeat \alternative \times \tuplet \grace
\acciaccatura \appoggiatura \slashedGrace \afterGrace \new \context \unfoldRepeats \volta
\simultaneous \sequential \tag \keepWithTag \removeWithTag \drummode \drums \chordmode
\chords \notemode \figuremode \figures \partcombine \partCombine \autochange \autoChange
\once \temporary \tweak \single \shiftDurations \scaleDurations \transposedCueDuring
\cueDuring \quoteDuring \parallelMusic \voices \retrograde \inversion \modalTranspose
\featherDurations \killCues \applyMusic \compressMMRests \addlyrics \lyricmode \lyrics
\lyricsto`)

var isDynamic = sets.Words(`f ff fff ffff fffff p pp ppp pppp ppppp mf mp fp sp spp sf sff sfz rfz cresc decresc dim cr decr`)

var isMode = sets.Words(`\major \minor \ionian \dorian \phrygian \lydian \mixolydian \aeolian \locrian`)

// isOutput has the commands that open a block that holds no variable's music.
var isOutput = sets.Words(`\header \paper \layout \midi \score \book \bookpart \with`)

var postCommands = sets.Words(`accent marcato staccatissimo espressivo staccato tenuto portato upbow downbow flageolet
thumb lheel rheel ltoe rtoe open halfopen stopped snappizzicato turn reverseturn trill prall mordent prallprall
prallmordent upprall downprall upmordent downmordent pralldown prallup lineprall signumcongruentiae shortfermata
fermata longfermata verylongfermata segno coda varcoda startTrillSpan stopTrillSpan sustainOn sustainOff sostenutoOn
sostenutoOff unaCorda treCorde startGroup stopGroup laissezVibrer repeatTie glissando arpeggio noBeam rest startTextSpan
stopTextSpan harmonic bendAfter n`)

// isPost reports whether a command belongs to the note before it.
func isPost(name string) bool { return isDynamic[name[1:]] || postCommands[name[1:]] }

var repeats = sets.Words(`unfold percent volta tremolo`)

// markupCommands are the commands of markup, each with one more than the number of its
// arguments.
var markupCommands = byArguments(
	`doubleflat doublesharp eyeglasses flat natural null semiflat semisharp sesquiflat sesquisharp sharp strut
table-of-contents`,
	`backslashed-digit bold box bracket caps center-align center-column char circle column concat dir-column
draw-dashed-line draw-dotted-line draw-line dynamic fill-line finger fontCaps fret-diagram fret-diagram-terse
fret-diagram-verbose fromproperty harp-pedal hbracket hspace huge italic justify justify-field justify-line
justify-string large larger left-align left-brace left-column line lookup markalphabet markletter medium musicglyph
normalsize normal-size-sub normal-size-super normal-text number oval overlay overtie postscript right-align right-brace
right-column roman rounded-box sans score simple slashed-digit small smallCaps smaller stencil sub super teeny text tie
tied-lyric tiny transparent triangle typewriter underline undertie upright vcenter vspace verbatim-file whiteout
wordwrap wordwrap-field wordwrap-string`,
	`abs-fontsize auto-footnote combine customTabClef fontsize footnote fraction halign hcenter-in lower magnify note
on-the-fly override pad-around pad-markup pad-x page-link path raise rotate scale translate translate-scaled with-color
with-link with-url woodwind-diagram with-dimensions-from`,
	`arrow-head beam draw-circle draw-squiggle-line epsfile filled-box general-align note-by-number pad-to-box page-ref
with-dimensions`,
	`pattern put-adjacent`,
	`fill-with-pattern`,
)

func byArguments(lists ...string) map[string]int {
	all := map[string]int{}
	for n, names := range lists {
		for _, name := range strings.Fields(names) {
			all[name] = n + 1
		}
	}
	return all
}
