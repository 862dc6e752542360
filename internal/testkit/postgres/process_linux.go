package postgres

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const supported = true

// credential is that of an unprivileged user where this process is root, as which
// Postgres does not run; else nil.
func credential() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

// give lets the server's user have a folder.
func give(dir string) error {
	c, err := credential()
	if err != nil || c == nil {
		return err
	}
	return os.Chown(dir, int(c.Uid), int(c.Gid))
}

// command is one that runs as the server's user. Its environment is empty but for what
// the programs need, so that PGDATA and the like of who tests do not count.
func command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	c, err := credential()
	cmd.Err = err
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c}
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
	return cmd
}

// process is a running server.
type process struct {
	cmd   *exec.Cmd
	out   *os.File
	ended chan struct{}
}

// launch starts a server, which ends when this process does.
func launch(dir, name string, args ...string) (*process, error) {
	out, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: command(name, args...), out: out, ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = dir, out, out
	p.cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT
	p.cmd.SysProcAttr.Setpgid = true // an interrupt is for the tests, which stop it
	started := make(chan error)
	go func() {
		// The signal comes when the thread ends that has started the process.
		runtime.LockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			_ = p.cmd.Wait()
		}
		close(p.ended)
	}()
	if err := <-started; err != nil {
		out.Close()
		return nil, err
	}
	return p, nil
}

// log is the end of what the server wrote.
func (p *process) log() string {
	text, _ := os.ReadFile(p.out.Name())
	return string(text[max(0, len(text)-2000):])
}

// stop ends it in order, or else at once.
func (p *process) stop() {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGKILL} {
		_ = p.cmd.Process.Signal(signal)
		select {
		case <-p.ended:
			p.out.Close()
			return
		case <-time.After(10 * time.Second):
		}
	}
}

// kill ends it and its children, which are sessions of their own, at once.
func (p *process) kill() error {
	children, err := childrenOf(p.cmd.Process.Pid)
	if err != nil {
		return err
	}
	if err := p.cmd.Process.Kill(); err != nil {
		return err
	}
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-p.ended
	for _, pid := range children {
		for syscall.Kill(pid, 0) == nil && !gone(pid) {
			time.Sleep(time.Millisecond)
		}
	}
	return p.out.Close()
}

// childrenOf lists the processes that a process has started.
func childrenOf(parent int) (pids []int, err error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		pid, of, _ := statusOf(file)
		if of == parent {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// gone reports whether a process has ended, if nobody has noticed yet.
func gone(pid int) bool {
	_, _, state := statusOf(fmt.Sprintf("/proc/%d/stat", pid))
	return state == "" || state == "Z" || state == "X"
}

// statusOf reads /proc/PID/stat: the name of the program, in brackets, may hold anything.
func statusOf(file string) (pid, parent int, state string) {
	text, err := os.ReadFile(file)
	end := bytes.LastIndexByte(text, ')')
	if err != nil || end < 0 {
		return 0, 0, ""
	}
	fields := strings.Fields(string(text[end+1:]))
	if len(fields) < 2 {
		return 0, 0, ""
	}
	pid, _ = strconv.Atoi(string(bytes.Fields(text)[0]))
	parent, _ = strconv.Atoi(fields[1])
	return pid, parent, fields[0]
}
