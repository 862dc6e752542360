//go:build unix

package local

import "os"

// syncFolder writes the names in a folder to the disk, so that a rename survives a
// power cut.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
