package infra

import (
	"fmt"
	"slices"
	"strconv"

	"agentd/domains"
)

const counted = "block"

// withoutAddedComments leaves out the comments of a candidate that neither say
// what one of the reference says, nor stand where one of those stood that are
// missing: a reader of the configuration loses nothing by them. A comment that was
// lost, changed or moved is another matter.
func withoutAddedComments(reference, candidate []domains.Element) (ref, got []domains.Element) {
	type place struct{ text, key string }
	at := func(e *domains.Element) place { return place{e.Fields[0].Value, e.Key} }
	wanted, missing := map[place]int{}, map[string]int{} // missing by key
	for i := range reference {
		if e := &reference[i]; e.Kind == commentElement {
			wanted[at(e)]++
			missing[e.Key]++
		}
	}
	var added []int // in the candidate
	for i := range candidate {
		if e := &candidate[i]; e.Kind != commentElement {
			continue
		} else if wanted[at(e)] > 0 {
			wanted[at(e)]--
			missing[e.Key]--
		} else {
			added = append(added, i)
		}
	}
	if len(added) == 0 {
		return reference, candidate
	}
	elsewhere := map[string][]string{} // the keys of what is left, by text
	for i := range reference {
		if e := &reference[i]; e.Kind == commentElement && wanted[at(e)] > 0 {
			wanted[at(e)]--
			elsewhere[at(e).text] = append(elsewhere[at(e).text], e.Key)
		}
	}
	added = slices.DeleteFunc(added, func(i int) bool { // what was moved
		text := at(&candidate[i]).text
		keys := elsewhere[text]
		if len(keys) > 0 {
			missing[keys[0]]--
			elsewhere[text] = keys[1:]
		}
		return len(keys) > 0
	})
	kept := make([]domains.Element, 0, len(candidate))
	for i, e := range candidate {
		if len(added) > 0 && added[0] == i {
			added = added[1:]
			if missing[e.Key] == 0 {
				continue
			}
			missing[e.Key]--
		}
		kept = append(kept, e)
	}
	return reference, kept
}

func stats(c configuration) domains.Stats {
	resources, kinds := map[string]bool{}, map[string]int{}
	for i := range c.blocks {
		key := c.blocks[i].kind
		if key == "resource" {
			key = c.blocks[i].label
			resources[key] = true
		}
		kinds[key]++
	}
	return domains.Stats{Elements: len(c.blocks), Counts: []domains.Count{
		{Name: "Total Blocks", Value: strconv.Itoa(len(c.blocks))},
		{Name: "Resource Types", Value: strconv.Itoa(len(resources))},
		{Name: "Block Types", Value: fmt.Sprint(kinds)},
	}}
}
