package infra

import (
	"fmt"
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
	wanted, missing := map[place]int{}, map[string]int{} // missing by key
	for i := range reference {
		if e := &reference[i]; e.Kind == commentElement {
			wanted[place{e.Fields[0].Value, e.Key}]++
			missing[e.Key]++
		}
	}
	added, surplus := make([]bool, len(candidate)), 0
	for i := range candidate {
		if e := &candidate[i]; e.Kind == commentElement {
			if at := (place{e.Fields[0].Value, e.Key}); wanted[at] > 0 {
				wanted[at]--
				missing[e.Key]--
			} else {
				added[i] = true
				surplus++
			}
		}
	}
	if surplus == 0 {
		return reference, candidate
	}
	elsewhere := map[string][]string{} // the keys of what is left, by text
	for i := range reference {
		e := &reference[i]
		if e.Kind != commentElement {
			continue
		}
		if at := (place{e.Fields[0].Value, e.Key}); wanted[at] > 0 {
			wanted[at]--
			elsewhere[at.text] = append(elsewhere[at.text], at.key)
		}
	}
	for i := range candidate {
		if !added[i] {
			continue
		}
		text := candidate[i].Fields[0].Value
		if keys := elsewhere[text]; len(keys) > 0 {
			missing[keys[0]]--
			elsewhere[text] = keys[1:]
			added[i] = false
		}
	}
	kept := make([]domains.Element, 0, len(candidate))
	for i := range candidate {
		if key := candidate[i].Key; added[i] {
			if missing[key] == 0 {
				continue
			}
			missing[key]--
		}
		kept = append(kept, candidate[i])
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
