// Package musicsheet is the domain of sheet music in LilyPond notation.
package musicsheet
