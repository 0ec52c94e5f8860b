package plain

import "math"

// Metres is the haversine distance of two places, in degrees, on a sphere of 6,371 km.
func Metres(latA, lonA, latB, lonB float64) float64 {
	const radius, degree = 6_371_000, math.Pi / 180
	north, east := math.Sin((latB-latA)*degree/2), math.Sin((lonB-lonA)*degree/2)
	h := float64(north*north) + float64(math.Cos(latA*degree)*math.Cos(latB*degree)*float64(east*east))
	return 2 * radius * math.Asin(math.Sqrt(min(h, 1)))
}
