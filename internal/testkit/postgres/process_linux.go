package postgres

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
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

// kill ends it and its children, which are sessions of their own, at once. The children are looked
// for when it has ended and starts no more.
func (p *process) kill() error {
	if err := p.cmd.Process.Kill(); err != nil {
		return err
	}
	<-p.ended
	for {
		children, err := processesIn(filepath.Join(p.cmd.Dir, "data"))
		if err != nil {
			return err
		}
		if len(children) == 0 {
			return p.out.Close()
		}
		for _, pid := range children {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond)
	}
}

// processesIn lists the processes that work in a folder, as all of a server do in that of its data.
func processesIn(dir string) (pids []int, err error) {
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		return nil, err
	}
	for _, link := range links {
		if at, err := os.Readlink(link); err != nil || at != dir { // one that has ended has none
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link)))
		if err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	return pids, nil
}
