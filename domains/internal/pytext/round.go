package pytext

import "strconv"

// Round is round(x, places) for places of 0 and more: to the nearest number with so many decimals,
// of two that are as near the even one, as its exact binary value decides.
func Round(x float64, places int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', places, 64), 64)
	if err != nil {
		return x // it is beyond all numbers
	}
	return rounded
}
