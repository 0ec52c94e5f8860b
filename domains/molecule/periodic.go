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
	weight   string
}

// periodicTable has a line for each period: symbol, atomic weight, outer
// electrons, most common isotope, allowed valences (- for any).
const periodicTable = `H 1.008 1 1 1, He 4.003 2 4 0,
Li 6.941 1 7 1, Be 9.012 2 9 2, B 10.812 3 11 3, C 12.011 4 12 4, N 14.007 5 14 3, O 15.999 6 16 2, F 18.998 7 19 1, Ne 20.18 8 20 0,
Na 22.99 1 23 1, Mg 24.305 2 24 2, Al 26.982 3 27 3/6, Si 28.086 4 28 4/6, P 30.974 5 31 3/5/7, S 32.067 6 32 2/4/6, Cl 35.453 7 35 1, Ar 39.948 8 40 0,
K 39.098 1 39 1, Ca 40.078 2 40 2, Sc 44.956 3 45 -, Ti 47.867 4 48 -, V 50.942 5 51 -, Cr 51.996 6 52 -, Mn 54.938 7 55 -, Fe 55.845 8 56 -, Co 58.933 9 59 -, Ni 58.693 10 58 -, Cu 63.546 11 63 -, Zn 65.39 2 64 -, Ga 69.723 3 69 3, Ge 72.61 4 74 4, As 74.922 5 75 3/5/7, Se 78.96 6 80 2/4/6, Br 79.904 7 79 1, Kr 83.8 8 84 0,
Rb 85.468 1 85 1, Sr 87.62 2 88 2, Y 88.906 3 89 -, Zr 91.224 4 90 -, Nb 92.906 5 93 -, Mo 95.94 6 98 -, Tc 98 7 97 -, Ru 101.07 8 102 -, Rh 102.906 9 103 -, Pd 106.42 10 106 -, Ag 107.868 11 107 -, Cd 112.412 2 114 -, In 114.818 3 115 3, Sn 118.711 4 120 2/4, Sb 121.76 5 121 3/5/7, Te 127.6 6 130 2/4/6, I 126.904 7 127 1/3/5, Xe 131.29 8 132 0/2/4/6,
Cs 132.905 1 133 1, Ba 137.328 2 138 2, La 138.906 3 139 -, Ce 140.116 4 140 -, Pr 140.908 3 141 -, Nd 144.24 4 142 -, Pm 145 5 145 -, Sm 150.36 6 152 -, Eu 151.964 7 153 -, Gd 157.25 8 158 -, Tb 158.925 9 159 -, Dy 162.5 10 164 -, Ho 164.93 11 165 -, Er 167.26 12 166 -, Tm 168.934 13 169 -, Yb 173.04 14 174 -, Lu 174.967 15 175 -, Hf 178.49 4 180 -, Ta 180.948 5 181 -, W 183.84 6 184 -, Re 186.207 7 187 -, Os 190.23 8 192 -, Ir 192.217 9 193 -, Pt 195.078 10 195 -, Au 196.967 11 197 -, Hg 200.59 2 202 -, Tl 204.383 3 205 3, Pb 207.2 4 208 2/4, Bi 208.98 5 209 3/5/7, Po 209 6 209 2/4/6, At 210 7 210 1/3/5, Rn 222 8 211 0,
Fr 223 1 223 1, Ra 226 2 223 2, Ac 227 3 227 -, Th 232.038 4 232 -, Pa 231.036 3 231 -, U 238.029 4 238 -, Np 237 5 236 -, Pu 244 6 238 -, Am 243 7 241 -, Cm 247 8 243 -, Bk 247 9 247 -, Cf 251 10 249 -, Es 252 11 252 -, Fm 257 12 257 -, Md 258 13 258 -, No 259 14 259 -, Lr 262 15 262 -, Rf 267 2 267 -, Db 268 2 268 -, Sg 269 2 271 -, Bh 270 2 270 -, Hs 269 2 269 -, Mt 278 2 278 -, Ds 281 2 281 -, Rg 281 2 281 -, Cn 285 2 285 -, Nh 284 2 284 -, Fl 289 2 289 -, Mc 288 2 288 -, Lv 293 2 293 -, Ts 292 2 292 -, Og 294 2 294 -`

// The elements by atomic number, and their numbers by symbol. Number 0 is a
// dummy, which binds to anything.
var elementsByNumber, numberBySymbol = readPeriodicTable()

func readPeriodicTable() ([]element, map[string]int) {
	all := []element{{symbol: "*"}}
	numbers := map[string]int{}
	for _, entry := range strings.Split(strings.ReplaceAll(periodicTable, "\n", " "), ",") {
		parts := strings.Fields(entry)
		e := element{symbol: parts[0], weight: parts[1], outer: number(parts[2]), isotope: number(parts[3])}
		if parts[4] != "-" {
			for _, v := range strings.Split(parts[4], "/") {
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
