package molecule

import (
	"strconv"
	"strings"
)

// element is what the valence rules know of a chemical element.
type element struct {
	symbol   string
	outer    int   // electrons of the outer shell
	isotope  int   // the most common one
	valences []int // that are allowed; none if any is
}

// periodicTable has a line for each period: symbol, outer electrons,
// most common isotope, allowed valences (- for any).
const periodicTable = `H 1 1 1, He 2 4 0,
Li 1 7 1, Be 2 9 2, B 3 11 3, C 4 12 4, N 5 14 3, O 6 16 2, F 7 19 1, Ne 8 20 0,
Na 1 23 1, Mg 2 24 2, Al 3 27 3/6, Si 4 28 4/6, P 5 31 3/5/7, S 6 32 2/4/6, Cl 7 35 1, Ar 8 40 0,
K 1 39 1, Ca 2 40 2, Sc 3 45 -, Ti 4 48 -, V 5 51 -, Cr 6 52 -, Mn 7 55 -, Fe 8 56 -, Co 9 59 -, Ni 10 58 -, Cu 11 63 -, Zn 2 64 -, Ga 3 69 3, Ge 4 74 4, As 5 75 3/5/7, Se 6 80 2/4/6, Br 7 79 1, Kr 8 84 0,
Rb 1 85 1, Sr 2 88 2, Y 3 89 -, Zr 4 90 -, Nb 5 93 -, Mo 6 98 -, Tc 7 97 -, Ru 8 102 -, Rh 9 103 -, Pd 10 106 -, Ag 11 107 -, Cd 2 114 -, In 3 115 3, Sn 4 120 2/4, Sb 5 121 3/5/7, Te 6 130 2/4/6, I 7 127 1/3/5, Xe 8 132 0/2/4/6,
Cs 1 133 1, Ba 2 138 2, La 3 139 -, Ce 4 140 -, Pr 3 141 -, Nd 4 142 -, Pm 5 145 -, Sm 6 152 -, Eu 7 153 -, Gd 8 158 -, Tb 9 159 -, Dy 10 164 -, Ho 11 165 -, Er 12 166 -, Tm 13 169 -, Yb 14 174 -, Lu 15 175 -, Hf 4 180 -, Ta 5 181 -, W 6 184 -, Re 7 187 -, Os 8 192 -, Ir 9 193 -, Pt 10 195 -, Au 11 197 -, Hg 2 202 -, Tl 3 205 3, Pb 4 208 2/4, Bi 5 209 3/5/7, Po 6 209 2/4/6, At 7 210 1/3/5, Rn 8 211 0,
Fr 1 223 1, Ra 2 223 2, Ac 3 227 -, Th 4 232 -, Pa 3 231 -, U 4 238 -, Np 5 236 -, Pu 6 238 -, Am 7 241 -, Cm 8 243 -, Bk 9 247 -, Cf 10 249 -, Es 11 252 -, Fm 12 257 -, Md 13 258 -, No 14 259 -, Lr 15 262 -, Rf 2 267 -, Db 2 268 -, Sg 2 271 -, Bh 2 270 -, Hs 2 269 -, Mt 2 278 -, Ds 2 281 -, Rg 2 281 -, Cn 2 285 -, Nh 2 284 -, Fl 2 289 -, Mc 2 288 -, Lv 2 293 -, Ts 2 292 -, Og 2 294 -`

// The elements by atomic number, and their numbers by symbol. Number 0 is a
// dummy, which binds to anything.
var elementsByNumber, numberBySymbol = readPeriodicTable()

func readPeriodicTable() ([]element, map[string]int) {
	all := []element{{symbol: "*"}}
	numbers := map[string]int{}
	for _, entry := range strings.Split(strings.ReplaceAll(periodicTable, "\n", " "), ",") {
		parts := strings.Fields(entry)
		e := element{symbol: parts[0], outer: number(parts[1]), isotope: number(parts[2])}
		if parts[3] != "-" {
			for _, v := range strings.Split(parts[3], "/") {
				e.valences = append(e.valences, number(v))
			}
		}
		numbers[e.symbol] = len(all)
		all = append(all, e)
	}
	return all, numbers
}

// number reads a decimal number, 0 if it is none.
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// defaultValence is the lowest allowed valence, -1 where any is allowed.
func defaultValence(atomicNumber int) int {
	if atomicNumber < 0 || atomicNumber >= len(elementsByNumber) || len(elementsByNumber[atomicNumber].valences) == 0 {
		return -1
	}
	return elementsByNumber[atomicNumber].valences[0]
}

// isEarly tells the elements that a negative charge lets bind more atoms, not
// fewer: metals and boron.
func isEarly(atomicNumber int) bool {
	switch n := atomicNumber; {
	case n <= 2 || n >= 6 && n <= 10 || n >= 14 && n <= 18 || n >= 28 && n <= 30 ||
		n >= 33 && n <= 36 || n >= 46 && n <= 48 || n >= 52 && n <= 54 || n >= 78 && n <= 80 || n >= 84 && n <= 86:
		return false
	}
	return true
}

// moreElectronegative compares as the published program does, by outer
// electrons and then by row.
func moreElectronegative(a, b int) bool {
	outerA, outerB := elementsByNumber[a].outer, elementsByNumber[b].outer
	return outerA > outerB || outerA == outerB && a < b
}
