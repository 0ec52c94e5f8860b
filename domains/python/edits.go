package python

import "agentd/domains"

// mainFile is the program that edits begin with and that every backward step
// leaves.
const mainFile = "main.py"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "module_split", Forward: splitModules, Backward: mergeModules},
		{Name: "message_module", Forward: takeMessages, Backward: writeMessages},
		{Name: "number_table", Forward: takeNumbers, Backward: writeNumbers},
		{Name: "complexity_order", Forward: orderByComplexity, Backward: orderWithoutComplexity},
		{Name: "callers_first", Forward: orderByCalls, Backward: orderAsListed},
		{Name: "camel_case", Forward: toCamelCase, Backward: fromCamelCase},
		{Name: "notebook", Forward: toNotebook, Backward: fromNotebook},
		{Name: "stubs", Forward: takeBodies, Backward: writeBodies},
	}
}
