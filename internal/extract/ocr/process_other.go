//go:build !unix

package ocr

import "os/exec"

// ownGroup has no groups to put it into: the program is ended itself.
func ownGroup(*exec.Cmd) {}
