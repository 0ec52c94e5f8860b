package report

import "agentd/report/statistics"

// images returns the tables on pictures (paper, Table 8); none if no relay edits pictures.
func (r *Report) images() []Table {
	if r.pictures == nil {
		return nil
	}
	scores := r.pictures.survival("images", "Pictures, RS@k: mean published score of what survives k interactions, in % (paper, Table 8)",
		func(a Arm) []statistics.Interval { return a.RS })
	scores.Gallery = r.pictures.gallery
	return []Table{
		scores,
		r.pictures.survival("images_strict", "Pictures, Strict@k: mean share of the squares of 8 × 8 pixels that are exactly as they were, in %",
			func(a Arm) []statistics.Interval { return a.Strict }),
	}
}

// generalText returns the table on documents that only have the strict score, such as general text;
// none if there are no such relays.
func (r *Report) generalText() []Table {
	if r.general == nil {
		return nil
	}
	return []Table{r.general.survival("general", "Documents without a published score, Strict@k: mean strict score of what survives k interactions, in %",
		func(a Arm) []statistics.Interval { return a.Strict })}
}
