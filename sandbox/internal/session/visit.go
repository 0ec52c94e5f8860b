package session

import (
	"agentd/sandbox"
	"agentd/sandbox/internal/folder"
	"agentd/sandbox/internal/reads"
	"agentd/vfs"
)

// tool is the name that reads are recorded under.
const tool = "run_python"

// Visit is one script's stay in a folder: what was there before it came, what
// it read, and what it left.
type Visit struct {
	tree   *folder.Tree
	before vfs.Files
	watch  *reads.Watch
	read   []string
	left   *folder.Collection
}

// Enter makes the tree, which lies at path, equal to the files and begins to
// watch which are read.
func Enter(tree *folder.Tree, path string, files vfs.Files) (*Visit, error) {
	if err := tree.Sync(files); err != nil {
		return nil, err
	}
	watch, err := reads.Start(path, files)
	if err != nil {
		return nil, err
	}
	return &Visit{tree: tree, before: files, watch: watch}, nil
}

// Look finds out what the script read and left. No process of it may run any
// more.
func (v *Visit) Look(limits sandbox.Limits) (err error) {
	if v.read, err = v.watch.Files(); err != nil { // before we read them ourselves
		return err
	}
	v.left, err = v.tree.Collect(v.before, limits)
	return err
}

// Apply tells the workspace and the result what Look found.
func (v *Visit) Apply(ws *vfs.Workspace, result *sandbox.Result) {
	result.Reads = v.read
	for _, name := range v.read { // while those deleted since are still known
		ws.RecordRead(tool, name)
	}
	v.left.Apply(ws, result)
}

// Close ends the watch. It is slow, and may be called beside the next visit.
func (v *Visit) Close() { v.watch.Close() }
