//go:build !linux

package postgres

import (
	"errors"
	"os/exec"
)

const supported = false

var errUnsupported = errors.New("a Postgres server for tests is started on Linux only")

func give(string) error { return errUnsupported }

func command(name string, args ...string) *exec.Cmd { return exec.Command(name, args...) }

type process struct{ ended chan struct{} }

func launch(_, _ string, _ ...string) (*process, error) { return nil, errUnsupported }

func (p *process) log() string { return "" }
func (p *process) stop()       {}
func (p *process) kill() error { return errUnsupported }
