package exact

import "agentd/vfs"

// Single says how the documents D of a domain, which are no lists of parts, are read and printed.
// D is a pointer, or otherwise something that can be changed.
type Single[D any] struct {
	Document func(vfs.Files) (D, error)         // that a forward step is given
	Named    func(vfs.Files, string) (D, error) // that a backward step needs
	Print    func(D) string
}

// Whole changes a document as a whole into files, and back from them.
func (s *Single[D]) Whole(document string, forward func(D) (vfs.Files, error), backward func(vfs.Files) (D, error)) Steps {
	return Steps{
		Forward: func(files vfs.Files) (vfs.Files, error) {
			d, err := s.Document(files)
			if err != nil {
				return nil, err
			}
			return forward(d)
		},
		Backward: func(files vfs.Files) (vfs.Files, error) {
			d, err := backward(files)
			if err != nil {
				return nil, err
			}
			return vfs.Files{document: s.Print(d)}, nil
		},
	}
}

// Rewrite changes a document into the file to, and says what else is needed to lead back in
// further files: change changes it and returns these. restore changes it back, with the files at
// hand.
func (s *Single[D]) Rewrite(document, to string, change func(D) (vfs.Files, error), restore func(D, vfs.Files) error) Steps {
	forward, backward := s.rewrite(to, change, restore)
	return s.Whole(document, forward, backward)
}

// Change changes a document into the file to, and back from that file alone.
func (s *Single[D]) Change(document, to string, change, restore func(D)) Steps {
	return alone(s, document, to, change, restore)
}

// rewriter is a Format, D being a pointer to its documents, or a Single.
type rewriter[D any] interface {
	Rewrite(document, to string, change func(D) (vfs.Files, error), restore func(D, vfs.Files) error) Steps
}

func alone[D any](of rewriter[D], document, to string, change, restore func(D)) Steps {
	return of.Rewrite(document, to, func(d D) (vfs.Files, error) {
		change(d)
		return nil, nil
	}, func(d D, _ vfs.Files) error {
		restore(d)
		return nil
	})
}

func (s *Single[D]) rewrite(
	to string, change func(D) (vfs.Files, error), restore func(D, vfs.Files) error,
) (forward func(D) (vfs.Files, error), backward func(vfs.Files) (D, error)) {
	forward = func(d D) (vfs.Files, error) {
		made, err := change(d)
		if err != nil {
			return nil, err
		}
		if made == nil {
			made = vfs.Files{}
		}
		made[to] = s.Print(d)
		return made, nil
	}
	backward = func(files vfs.Files) (D, error) {
		d, err := s.Named(files, to)
		if err == nil {
			err = restore(d, files)
		}
		return d, err
	}
	return forward, backward
}
