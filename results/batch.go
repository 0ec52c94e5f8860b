package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// batch commits together what many relays want stored at once. A commit waits
// for the disk, and SQLite has one writer: one at a time, a thousand relays would
// mostly wait for each other.
type batch struct {
	mu      sync.Mutex
	waiting []*member
	busy    bool // somebody is committing
}

// member is one transaction of a batch.
type member struct {
	ctx  context.Context
	work func(Tx) error
	err  error
	done chan struct{}
}

// transact runs work in a transaction of its own or, under load, in a part of
// one that can be undone alone.
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

// commitWaiting commits what waits now. What comes meanwhile is somebody else's
// to commit, so that nobody is kept from going on.
func (f *sqliteFile) commitWaiting() {
	f.batch.mu.Lock()
	members := f.batch.waiting
	f.batch.waiting = nil
	if len(members) == 0 {
		f.batch.busy = false
	}
	f.batch.mu.Unlock()
	if len(members) == 0 {
		return
	}
	err := f.commit(members)
	for _, m := range members {
		if m.err == nil {
			m.err = err
		}
		close(m.done)
	}
	go f.commitWaiting()
}

// commit runs all members in one transaction. A member's error undoes its part
// alone; the error returned is everybody's.
func (f *sqliteFile) commit(members []*member) error {
	if len(members) == 1 && members[0].ctx.Err() != nil {
		return members[0].ctx.Err()
	}
	tx, err := f.db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.err = m.ctx.Err(); m.err != nil {
			continue
		}
		if m.err = f.part(tx, m.work, len(members) > 1); m.err == nil {
			continue
		}
		if len(members) == 1 || endsTransaction(m.err) {
			_ = tx.Rollback() // the error to report is the member's
			return m.err
		}
	}
	return tx.Commit()
}

// part runs one member's work, within a savepoint if others are in the same
// transaction.
func (f *sqliteFile) part(tx *sql.Tx, work func(Tx) error, shared bool) (err error) {
	defer func() {
		if value := recover(); value != nil { // it must not hold the others up
			err = fmt.Errorf("panic: %v\n%s", value, debug.Stack())
		}
		if err != nil && shared && !endsTransaction(err) {
			_, undo := tx.Exec("ROLLBACK TO member; RELEASE member")
			err = errors.Join(err, undo)
		}
	}()
	if shared {
		if _, err := tx.Exec("SAVEPOINT member"); err != nil {
			return err
		}
	}
	if err := work(sqliteTx{tx}); err != nil || !shared {
		return err
	}
	_, err = tx.Exec("RELEASE member")
	return err
}

// endsTransaction reports whether SQLite may have undone the whole transaction.
func endsTransaction(err error) bool {
	var db *sqlite.Error
	if !errors.As(err, &db) {
		return false
	}
	switch db.Code() & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_INTERRUPT:
		return true
	}
	return false
}
