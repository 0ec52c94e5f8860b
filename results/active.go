package results

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Active returns the IDs of the experiments that processes seem to be working on. If a process has the database open
// for work, these are the experiments of the last stored interaction (of the last hundred in a shared database), and
// those that began later.
func (s *Store) Active(ctx context.Context) (map[string]bool, error) {
	worked, recent, err := s.db.worked(ctx)
	if err != nil || !worked {
		return nil, err
	}
	active := map[string]bool{}
	query := fmt.Sprintf(`WITH last AS (SELECT relay, started FROM interactions ORDER BY id DESC LIMIT %d)
		SELECT experiment FROM relays WHERE id IN (SELECT relay FROM last)
		UNION SELECT id FROM experiments WHERE created > coalesce((SELECT max(started) FROM last), 0)`, recent)
	err = s.scanAll(ctx, query, nil, func(rows Rows) error {
		var id string
		err := rows.Scan(&id)
		active[id] = true
		return err
	})
	return active, err
}

func (f *sqliteFile) worked(context.Context) (worked bool, recent int, err error) {
	if f.lock != nil {
		return true, 1, nil
	}
	file, err := os.Open(f.path + "-lock")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return false, 1, nil
	}
	if err != nil {
		return false, 1, err
	}
	defer file.Close()
	err = unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB) // Close releases it
	if errors.Is(err, unix.EWOULDBLOCK) {
		return true, 1, nil
	}
	return false, 1, err
}

// readingClient is the name under which a client that only reads connects.
func readingClient(client string) string {
	return strings.Replace(client, "agentd-", "agentd/read-", 1)
}

func (p *postgres) worked(ctx context.Context) (worked bool, recent int, err error) {
	err = row(ctx, p, `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'agentd-%')`,
		nil, &worked)
	return worked, 100, err
}
