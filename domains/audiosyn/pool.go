package audiosyn

// pool hands out parts of long slices, which takes less time than as many short
// ones.
type pool[T any] struct{ free []T }

// copy returns a slice of these items that has no room for more.
func (p *pool[T]) copy(items []T) []T {
	const usual = 256
	n := len(items)
	if n > len(p.free) {
		p.free = make([]T, max(n, usual))
	}
	taken := p.free[:n:n]
	p.free = p.free[n:]
	copy(taken, items)
	return taken
}
