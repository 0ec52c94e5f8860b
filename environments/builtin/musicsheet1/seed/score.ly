\version "2.24.3"

% Evening at the Quay, for the blessing of the boats, St Fintan's, last Sunday in May
% engraved from Aoife's pencil copy of 11 March; queries are marked with a name

#(set-global-staff-size 17)
#(set-default-paper-size "a4")

\paper {
  top-margin = 12\mm
  bottom-margin = 14\mm
  indent = 18\mm
  short-indent = 8\mm
  system-system-spacing.basic-distance = #15
  ragged-last-bottom = ##f
}

\header {
  title = "Evening at the Quay"
  subtitle = "Anthem for the Blessing of the Boats"
  composer = "Aoife Breslin (b. 1971)"
  poet = "Colm Tierney"
  arranger = "parts ed. M. Lowry"
  instrument = "SATB, flute and organ"
  opus = "2nd draft, 14 March"
  copyright = "Copied for St Fintan's choir, not for sale"
  tagline = ##f
}

global = {
  \key f \major
  \time 3/4
  \tempo "Andante, like a slow boat" 4 = 84
  \partial 4 s4
  s2.*15 s2
  \bar "||"
  \mark \default
  s4 s2.*4
  \bar "|."
}

soprano = \relative c' {
  \dynamicUp
  c4\p |
  f4. g8 a4 | bes4 a g | a2 f4 | g2 c,4 |
  f4.\< g8 a4 | c4 bes a | g2\! g4 | a2 \breathe a4\mf |
  c4. d8 c4 | bes4 a bes | g2 c4 | a2 f4\f |
  d'4 c bes | a8( g) f4 a | g2\> g4 | f2\!
  % the Amen: unaccompanied if the organ is flat (it will be)
  r4 | a2(\pp bes4) | c2. | bes4( a) g | a2.\fermata |
}

alto = \relative c' {
  \dynamicUp
  c4\p |
  c4. e8 f4 | d4 f e | f2 c4 | e2 c4 |
  c4.\< d8 e4 | f4 g f | d( e)\! f | f2 \breathe f4\mf |
  f4. f8 es4 | d4 fis g | d8( e f4) e | f2 f4\f |
  f4 f d | c4 d f | f( e\>) e | c2\!
  r4 | f2\pp e4 | f2( es4) | d4( f) e | f2.\fermata |
}

tenor = {
  \dynamicUp
  \clef "treble_8"
  c'4\p |
  a4. c'8 c'4 | bes4 c' c' | c'2 a4 | c'2 bes4 |
  a4.\< bes8 cis'4 | d'4 d' c' | b2\! b4 | c'2 \breathe c'4\mf |
  a4. bes8 a4 | bes4 d' d' | g4( bes) bes | c'2 as4\f |
  bes4 a f | f8( g) a4 c' | d'4( c'\>) bes | a2\!
  r4 | c'2\pp c'4 | c'4( a2) | g4( a) bes | c'2.\fermata |
}

bass = {
  \dynamicUp
  \clef bass
  c4\p |
  f4. c8 f4 | g4 a c' | f2 f4 | c2 e4 |
  f4.\< d8 a,4 | bes,4 g, d | g2\! g,4 | f2 \breathe f4\mf |
  f4. f8 f4 | g4 d g | c2 c4 | f2 des4\f | % Mairead: des or d? she sings d
  bes,4 f d | f4 d f, | bes,( c\>) c | f2\!
  r4 | f2\pp c4 | a,4( f2) | bes,4( f) c | <f, f>2.\fermata |
}

verseOne = \lyricmode {
  \set stanza = "1."
  The fer -- ry lamps are lit a -- long the quay, __
  the gulls come in to roost a -- bove the bay; __
  O keep the boats that have not turned for home,
  and light them in be -- fore the end of day.
  A -- men, a -- men.
}

% line 2: "cha-pel" on the barline, as Colm reads it
verseTwo = \lyricmode {
  \set stanza = "2."
  The slip -- way stones are slick with wrack and rain, __
  the nets hang black a -- gainst the cha -- pel wall; __
  re -- mem -- ber those who did not come a -- gain,
  and count them home, the great ones and the small.
}

bassWords = \lyricmode {
  The fer -- ry lamps are lit a -- long the quay, __
  the gulls come in to roost a -- bove the bay; __
  O keep the boats that have not turned for home,
  and light them in be -- fore the end of day.
  A -- men, "a…" -- men.
}

flute = \relative c'' {
  \set Staff.midiInstrument = "flute"
  \override Staff.InstrumentName.self-alignment-X = #RIGHT
  r4 |
  R2.*3 | r4 r8 c(\mp d e |
  f4. e8 d c) | a'8( g f e d f) | g4.->( d8 \tuplet 3/2 { b8 c d) } | c2 r8 c\mf( |
  \grace { bes16 c } a'4. bes8 a g) | fis8( g a g d bes') | \tuplet 3/2 { e,8(\< f g } bes4) g8-. e-. | f4.( g8 as4)\! |
  bes8\f( f a4-. d,8) bes' | \acciaccatura g8 f4( a8 c f,4) | d'8(\> c bes a g e) | f2\!
  r4 | R2. | r4 c'8\pp( a f es) | d4.( f8 e g) | <f a>2.\fermata^\markup { \italic "(or f alone)" } |
}

organRight = \relative c' {
  r4^\markup { Sw. Gedackt 8, Salicional } |
  <a c f>2( <a c f>4) | <bes d g>4 <c f a> <c e g> | <c f a>2 <a c f>4 | <c e g>2. |
  <a c f>2\< <cis e a>4 | <d f c'>4 <d g bes> <d f a> | <b d g>2\! <b f' g>4 | <c f a>2 q4\mf |
  <c f a>4. <d f bes>8 <c es a>4 | <bes d g>4 <d fis a> <d g bes> | <bes e g>2 <c e bes'>4 | <c f a>2 <as des f>4\f |
  <bes d f>4 <a c f> <f bes d> | <a c f>4 <a d f> <c f a> | <bes d f>4( <c e g>\>) <bes e g> | <a c f>2\!
  r4 | R2.*3 | r4 <f' a c>2\ppp\fermata |
}

organLeft = {
  \clef bass
  r4 |
  f2.~ | f2 c4 | f2 f4 | c4 d e |
  f2 a,4 | bes,4 g, d | g2 g,4 | f2 es4 |
  f2 f8 es | d4 d g | c2 c,4 | f2 des4 |
  << { bes4 a2 } \\ { bes,4 f,2 } >> | f4 d f, | bes,4 c2 | f2
  r4 | R2.*3 | f,2.\fermata |
}

pedal = {
  \clef bass
  s4 | s2.*11 | s2 des,4^"Ped. 16" |
  bes,,2.~ | bes,,4 d, f, | bes,,4 c,2 | f,2
  s4 | s2.*3 | f,,2.\fermata |
}

\score {
  <<
    \new Staff \with {
      instrumentName = "Flute"
      shortInstrumentName = "Fl."
    } << \global \flute >>
    \new ChoirStaff <<
      \new Staff \with { instrumentName = "Soprano" shortInstrumentName = "S." } <<
        \new Voice = "sop" << \global \soprano >>
        \new Lyrics \lyricsto "sop" \verseOne
        \new Lyrics \lyricsto "sop" \verseTwo
      >>
      \new Staff \with { instrumentName = "Alto" shortInstrumentName = "A." } <<
        \new Voice = "alt" << \global \alto >>
        \new Lyrics \lyricsto "alt" \verseOne
        \new Lyrics \lyricsto "alt" \verseTwo
      >>
      \new Staff \with { instrumentName = "Tenor" shortInstrumentName = "T." } <<
        \new Voice = "ten" << \global \tenor >>
        \new Lyrics \lyricsto "ten" \verseOne
        \new Lyrics \lyricsto "ten" \verseTwo
      >>
      \new Staff \with { instrumentName = "Bass" shortInstrumentName = "B." } <<
        \new Voice = "bas" << \global \bass >>
        \new Lyrics \lyricsto "bas" \bassWords
      >>
    >>
    \new PianoStaff \with { instrumentName = "Organ" shortInstrumentName = "Org." } <<
      \new Staff << \global \organRight >>
      \new Staff << \global \organLeft \\ \pedal >>
    >>
  >>
  \layout {
    \context {
      \Score
      \override BarNumber.break-visibility = ##(#f #f #t)
    }
    \context { \Staff \RemoveEmptyStaves }
  }
  \midi { \tempo 4 = 80 }
}
