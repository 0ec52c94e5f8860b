package exact

import (
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// whole is a Format or a Single.
type whole[D any] interface {
	Whole(document string, forward func(D) (vfs.Files, error), backward func(vfs.Files) (D, error)) Steps
}

// JSON changes a document as a whole into a file of JSON with what forward returns, and back.
func JSON[D, J any](of whole[D], document, to string, forward func(D) (J, error), backward func(J) (D, error)) Steps {
	return of.Whole(document, func(d D) (vfs.Files, error) {
		content, err := forward(d)
		return vfs.Files{to: plain.WriteJSON(content)}, err
	}, func(files vfs.Files) (none D, err error) {
		var content J
		if err := plain.JSON(files, to, &content); err != nil {
			return none, err
		}
		return backward(content)
	})
}

// Keeping is Rewrite for an edit that keeps what it takes away, which change returns, in a file of
// JSON. restore gets it back.
func Keeping[D, J any](
	of rewriter[D], document, to, list string, change func(D) (J, error), restore func(D, J) error,
) Steps {
	return of.Rewrite(document, to, func(d D) (vfs.Files, error) {
		taken, err := change(d)
		return vfs.Files{list: plain.WriteJSON(taken)}, err
	}, func(d D, files vfs.Files) error {
		var taken J
		if err := plain.JSON(files, list, &taken); err != nil {
			return err
		}
		return restore(d, taken)
	})
}
