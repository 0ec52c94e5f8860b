package musicsheet

import (
	"agentd/domains/internal/sets"
	published "agentd/domains/published/musicsheet"
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

var postCommands = sets.Words(`accent marcato staccatissimo espressivo staccato tenuto portato upbow downbow flageolet
thumb lheel rheel ltoe rtoe open halfopen stopped snappizzicato turn reverseturn trill prall mordent prallprall
prallmordent upprall downprall upmordent downmordent pralldown prallup lineprall signumcongruentiae shortfermata
fermata longfermata verylongfermata segno coda varcoda startTrillSpan stopTrillSpan sustainOn sustainOff sostenutoOn
sostenutoOff unaCorda treCorde startGroup stopGroup laissezVibrer repeatTie glissando arpeggio noBeam rest startTextSpan
stopTextSpan harmonic bendAfter n`)

// isPost reports whether a command belongs to the note before it.
func isPost(name string) bool { return published.IsDynamic[name[1:]] || postCommands[name[1:]] }
