// Package json is the domain of structured data: one JSON or YAML document of
// nested objects, lists and scalars, such as a dashboard, a configuration or
// the answer of an API. The key path is what is counted: every member of an
// object and every entry of a list.
//
// The published score takes booleans for numbers, repairs JSON inside of
// strings, keeps the last of repeated names and does not see comments, anchors
// or wrappers. Strict looks at all of these, at the type and the exact value of
// every scalar, and at text outside of the document. It reads JSON and YAML
// under any file name and forgives what leaves all information intact: another
// layout or syntax, the order of members, code fences, trailing commas, single
// quotes, missing brackets at the end, comments in JSON, which has none, and an
// empty object next to the document.
package json
