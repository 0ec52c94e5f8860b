package makefile

import "agentd/domains"

// mainFile is the file that every backward step leaves.
const mainFile = "Makefile"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "section_files", Forward: splitSections, Backward: mergeSections},
		{Name: "kind_files", Forward: splitKinds, Backward: mergeKinds},
		{Name: "variable_table", Forward: takeVariables, Backward: writeVariables},
		{Name: "build_json", Forward: toJSON, Backward: fromJSON},
		{Name: "recipe_files", Forward: takeRecipes, Backward: writeRecipes},
		{Name: "duration_seconds", Forward: toSeconds, Backward: fromSeconds},
		{Name: "target_numbers", Forward: numberTargets, Backward: nameTargets},
		{Name: "need_order", Forward: orderByNeed, Backward: orderAsListed},
	}
}
