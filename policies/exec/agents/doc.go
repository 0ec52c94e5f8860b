// Package agents has presets of popular coding agents for policy exec.
//
// A Preset is a data file, NAME.yaml in this folder: which packages an agent is installed from, at which version,
// what of them is brought into the sandbox, and the script that runs it there without a
// person. A Store installs presets into a folder of the user's cache, once, and opens what
// it installed for an experiment. The bundle's hash says what was measured.
package agents
