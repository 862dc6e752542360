package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/seed-d3156d19/quarry/standard"
)

type backupJSON struct {
	Store     string `json:"store"`
	Backup    string `json:"backup"`
	Documents int    `json:"documents"`
	Bytes     int64  `json:"bytes"`
}

func (a *app) backup() *cobra.Command {
	force := false
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the store to a file, while it is in use",
		Long: `Copy the store, as it is at one moment, to FILE, while others read and write it. The
copy is read back whole and is on the disk before it gets its name; a backup that
stood there stays as it was until then. It is a store itself: --store FILE reads it.
It leaves out the space that removed documents took: to shrink a store, back it up
and restore the backup. Originals, quarry.yaml and the runs of eval are not in it.
A run that is killed may leave FILE.partial-..., which can be deleted.

Another store in FILE is replaced only with --force: one that is not a backup of this
store, or that was written before stores had a mark that tells.`,
		Example: "  quarry backup backups/quarry-monday.db",
		Args:    needsFile("the FILE to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.copyStore(cmd.Context(), args[0], "backed up %s to %s: %s, %.1f MiB\n", func(ctx context.Context, path string) (standard.Copy, error) {
				return standard.Backup(ctx, path, args[0], force)
			})
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace another store in FILE")
	return cmd
}

func (a *app) restore() *cobra.Command {
	return &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in the place of the store",
		Long: `Put a copy of FILE, made by quarry backup, in the place of the store. FILE is checked
first; the store is replaced as one, or stays as it is, and only while no other
process has it open. What was added or removed since the backup is undone; run
quarry add again to bring it up to date.`,
		Example: "  quarry restore backups/quarry-monday.db",
		Args:    needsFile("the FILE to restore"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.copyStore(cmd.Context(), args[0], "restored %s from %s: %s, %.1f MiB\n", func(ctx context.Context, path string) (standard.Copy, error) {
				return standard.Restore(ctx, path, args[0])
			})
		},
	}
}

// copyStore copies the store to or from a backup and says what the store holds.
func (a *app) copyStore(ctx context.Context, backup, done string, do func(context.Context, string) (standard.Copy, error)) error {
	s, err := a.settings()
	if err != nil {
		return err
	}
	path := a.storePath(s)
	out := backupJSON{Store: standard.StoreName(path), Backup: backup}
	made, err := do(ctx, path)
	if err != nil {
		return err
	}
	out.Documents, out.Bytes = made.Documents, made.Bytes
	if a.json {
		return a.writeJSON(out)
	}
	a.printf(done, oneLine(out.Store), oneLine(out.Backup), count(out.Documents, "document"), float64(out.Bytes)/(1<<20))
	return nil
}
