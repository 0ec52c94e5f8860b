// Package weaving is the domain of weaving drafts in the Weaving Information
// File format (WIF 1.1): an INI text that says on which shaft each warp thread
// is threaded, which treadles are pressed for each pick (or, in a liftplan,
// which shafts rise), how shafts are tied to treadles, and the colours and yarn
// of the cloth. What is counted is the assigned thread, an entry of THREADING
// or of TREADLING.
//
// The published score compares threading, treadling, tie-up, colour table and
// a few settings, and nothing else: not the liftplan, the colours of threads,
// nor any text. It reads as Python's configparser does, which gives up on a
// file for one line that is no entry. Strict reads files of any name line by
// line, without regard to the case of section names and keys, and looks at
// every entry, comment and foreign line.
package weaving
