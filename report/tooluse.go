package report

import (
	"agentd/report/statistics"
	"agentd/results"
)

// ToolUse compares an arm with the baseline of the same model, which is direct editing.
type ToolUse struct {
	Model   string
	Policy  string
	StandIn bool
	Calls   statistics.Interval // tool calls for each interaction
	// Shares of interactions that changed files in only one way: by scripts, by writing whole
	// texts, or by edits of parts; ByPatch counts those of the last that only used patches.
	// BySeveral counts those that used more than one of the three ways, ByNeither those that
	// used none.
	ByScript, ByWriting, ByEditing, ByPatch, BySeveral, ByNeither statistics.Interval
	// Distractors is the share of distractor files that were read, ReadByTools
	// and ReadByScripts the shares read by tools and from inside of scripts; both may have
	// read the same file.
	Distractors, ReadByTools, ReadByScripts statistics.Interval
	// Ratios to the baseline over the interactions that both have; Pairs counts these.
	// A ratio is none if the baseline used nothing, Cost also if a price is unknown.
	Pairs                        int
	Input, Output, Cost, Latency statistics.Interval
}

func (s *armSums) addTools(in *results.Interaction, place int) {
	use := in.Use
	s.calls.add(place, float64(use.Calls), 1)
	s.distractors.add(place, float64(use.DistractorsRead), float64(in.Distractors))
	s.byTools.add(place, float64(use.ReadByTools), float64(in.Distractors))
	s.byScripts.add(place, float64(use.ReadByScripts), float64(in.Distractors))
	ways := when(use.Scripts > 0) + when(use.Writes > 0) + when(use.Edits > 0)
	s.script.add(place, when(ways == 1 && use.Scripts > 0), 1)
	s.writing.add(place, when(ways == 1 && use.Writes > 0), 1)
	s.editing.add(place, when(ways == 1 && use.Edits > 0), 1)
	s.patch.add(place, when(ways == 1 && use.Edits > 0 && use.Patches == use.Edits), 1)
	s.several.add(place, when(ways > 1), 1)
	s.neither.add(place, when(ways == 0), 1)
}

func (b *builder) toolUse(key armKey) ToolUse {
	s := b.arms[key]
	u := ToolUse{
		Model: key.model, Policy: key.policy, StandIn: b.standIn[key.model],
		Calls: b.sampler.Mean(s.calls), Distractors: b.sampler.Ratio(s.distractors, s.total),
		ReadByTools: b.sampler.Ratio(s.byTools, s.total), ReadByScripts: b.sampler.Ratio(s.byScripts, s.total),
		ByScript: b.sampler.Mean(s.script), ByWriting: b.sampler.Mean(s.writing), ByEditing: b.sampler.Mean(s.editing),
		ByPatch: b.sampler.Mean(s.patch), BySeveral: b.sampler.Mean(s.several), ByNeither: b.sampler.Mean(s.neither),
	}
	input, output, cost, latency := b.tally(), b.tally(), b.tally(), b.tally()
	unknownCost, base := false, b.first(key.model, isBaseline)
	for task, arms := range b.tasks {
		mine, direct := arms[key], arms[base]
		if mine == nil || direct == nil {
			continue
		}
		u.Pairs++
		at := b.places[task.environment]
		input.add(at, float64(mine.Prompt), float64(direct.Prompt))
		output.add(at, float64(mine.Completion), float64(direct.Completion))
		latency.add(at, mine.Duration.Seconds(), direct.Duration.Seconds())
		if mine.Cost == nil || direct.Cost == nil {
			unknownCost = true
			continue
		}
		cost.add(at, *mine.Cost, *direct.Cost)
	}
	u.Input, u.Output = b.sampler.Ratio(input, u.Pairs), b.sampler.Ratio(output, u.Pairs)
	u.Cost, u.Latency = statistics.None(), b.sampler.Ratio(latency, u.Pairs)
	if !unknownCost {
		u.Cost = b.sampler.Ratio(cost, u.Pairs)
	}
	return u
}
