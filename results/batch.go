package results

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// batch commits together what many relays want stored at once. A commit waits
// for the disk, and SQLite has one writer: one at a time, a thousand relays would
// mostly wait for each other.
type batch struct {
	mu      sync.Mutex
	waiting []*member
	busy    bool // somebody is committing
}

// mostTogether is how many transactions are committed together: enough for the disk to
// be waited for seldom, and so few that the first need not wait for the last.
const mostTogether = 32

// member is one transaction of a batch.
type member struct {
	ctx  context.Context
	work func(Tx) error
	err  error
	done chan struct{}
}

// transact runs work in a transaction, under load in one with what others want
// stored. It is run again if another's fails.
func (f *sqliteFile) transact(ctx context.Context, work func(Tx) error) error {
	m := &member{ctx: ctx, work: work, done: make(chan struct{})}
	f.batch.mu.Lock()
	f.batch.waiting = append(f.batch.waiting, m)
	lead := !f.batch.busy
	f.batch.busy = true
	f.batch.mu.Unlock()
	if lead {
		f.commitWaiting()
	}
	<-m.done
	return m.err
}

// commitWaiting commits what waits now. What comes in the meantime is the next one's
// to commit, so that the members of this one can go on.
func (f *sqliteFile) commitWaiting() {
	f.batch.mu.Lock()
	members := f.batch.waiting[:min(mostTogether, len(f.batch.waiting))]
	f.batch.waiting = f.batch.waiting[len(members):]
	if len(members) == 0 {
		f.batch.busy = false
	}
	f.batch.mu.Unlock()
	if len(members) == 0 {
		return
	}
	f.commit(members)
	for _, m := range members {
		close(m.done)
	}
	go f.commitWaiting()
}

// commit runs all members in one transaction. If the work of one fails, which is
// rare, each has a transaction of its own: that costs the others nothing when all
// is well, as savepoints would.
func (f *sqliteFile) commit(members []*member) {
	failed, err := f.together(members)
	if failed && len(members) > 1 {
		for _, m := range members {
			f.commit([]*member{m})
		}
		return
	}
	for _, m := range members {
		m.err = cmp.Or(m.err, err)
	}
}

// together runs all members but those that were cancelled in one transaction, all
// or nothing. It reports whether it was the work of a member that failed.
func (f *sqliteFile) together(members []*member) (failed bool, err error) {
	tx, err := f.db.BeginTx(context.Background(), nil)
	if err != nil {
		return false, err
	}
	for _, m := range members {
		if m.err = m.ctx.Err(); m.err != nil {
			continue
		}
		if err := m.run(sqliteTx{tx}); err != nil {
			_ = tx.Rollback() // the error to report is the member's
			return true, err
		}
	}
	return false, tx.Commit()
}

func (m *member) run(tx Tx) (err error) {
	defer func() {
		if value := recover(); value != nil { // it must not hold the others up
			err = fmt.Errorf("panic: %v\n%s", value, debug.Stack())
		}
	}()
	return m.work(tx)
}
