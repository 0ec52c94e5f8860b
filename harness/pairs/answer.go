package pairs

// Answer is the answer to one pair, a JSON object. The error says why it cannot be scored.
func (s *Scorer) Answer(line []byte) (any, error) { return s.line(line) }
