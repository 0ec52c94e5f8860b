package results

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// batch commits the transactions of many relays together. A commit waits for the
// disk, and SQLite has one writer. With a commit for each transaction a thousand
// relays would mostly wait for each other.
type batch struct {
	mu      sync.Mutex
	waiting []*member
	busy    bool // a member is committing
}

// mostTogether is how many transactions are committed together: enough to make waits for the disk
// rare, but not so many that the first waits long for the last.
const mostTogether = 32

// member is one transaction of a batch.
type member struct {
	ctx  context.Context
	work func(Tx) error
	err  error
	done chan struct{}
}

// transact runs work in a transaction. Under load several callers share one, and work is
// run again if the work of another caller fails.
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

// commitWaiting commits the members that are waiting now. Later members are committed by the
// next call, so that these need not wait for them.
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

// commit runs all members in one transaction. If the work of one fails, which is rare,
// each gets a transaction of its own. Savepoints would cost every transaction more.
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

// together runs all members that were not cancelled in one transaction, all or nothing.
// It reports whether the work of a member failed, rather than the transaction.
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
		if value := recover(); value != nil { // a panic of one member must not end the others
			err = fmt.Errorf("panic: %v\n%s", value, debug.Stack())
		}
	}()
	return m.work(tx)
}
