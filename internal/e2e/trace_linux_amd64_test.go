package e2e

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// faultCalls are the system calls by which something comes to the disk, or gets
// another name there.
var faultCalls = []uint64{syscall.SYS_WRITE, syscall.SYS_PWRITE64, syscall.SYS_FSYNC, syscall.SYS_FDATASYNC, syscall.SYS_FTRUNCATE,
	syscall.SYS_RENAME, syscall.SYS_RENAMEAT, sysRenameat2, syscall.SYS_UNLINK, syscall.SYS_UNLINKAT}

const sysRenameat2 = 316 // not in package syscall

// fault is what becomes of the n-th of them, counted over all threads of a process.
type fault struct {
	name  string
	errno syscall.Errno // that it fails with; 0: the process is killed before it
	stays bool          // and so does every later write
}

var faults = []fault{{"full", syscall.ENOSPC, true}, {"failing", syscall.EIO, false}, {"killed", 0, false}}

// tracee is a process whose system calls are watched with ptrace(2). Debuggers count
// calls by thread, and Go moves work between threads.
type tracee struct {
	pid   int
	fault fault
	at    int // the call that meets the fault; 0 for none

	calls  int
	met    uint64                // the number of the system call that met it first; 0 is none
	inside map[int]bool          // threads that are in a call
	failed map[int]syscall.Errno // and what theirs is to fail with
}

// traced runs the command with a fault at one of its calls. The exit code is -1
// where it was killed.
func (s *sandbox) traced(f fault, at int, args ...string) (*tracee, result) {
	s.t.Helper()
	runtime.LockOSThread() // one thread is the tracer
	defer runtime.UnlockOSThread()
	cmd := s.command(context.Background(), args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true}
	out := filepath.Join(filepath.Dir(s.dir), "errors")
	file, err := os.Create(out)
	s.must(err)
	defer file.Close()
	cmd.Stderr = file
	if err := cmd.Start(); err != nil {
		if errors.Is(err, syscall.EPERM) {
			s.t.Skipf("SKIPPED: faults at system calls need the right to trace a process: %v", err)
		}
		s.t.Fatal(err)
	}
	defer cmd.Process.Release()
	p := &tracee{pid: cmd.Process.Pid, fault: f, at: at, inside: map[int]bool{}, failed: map[int]syscall.Errno{}}
	code, err := p.run()
	s.must(err)
	text, err := os.ReadFile(out)
	s.must(err)
	return p, result{code: code, err: string(text)}
}

// run follows the process to its end.
func (p *tracee) run() (code int, err error) {
	const (
		allThreads = 0x40000000 // __WALL
		exitKill   = 0x00100000 // PTRACE_O_EXITKILL
		inCall     = 0x80       // with PTRACE_O_TRACESYSGOOD
	)
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(p.pid, &status, 0, nil); err != nil {
		return 0, err
	}
	if err := syscall.PtraceSetOptions(p.pid, syscall.PTRACE_O_TRACESYSGOOD|syscall.PTRACE_O_TRACECLONE|exitKill); err != nil {
		return 0, err
	}
	p.goOn(p.pid, 0)
	known := map[int]bool{p.pid: true}
	for {
		thread, err := syscall.Wait4(-p.pid, &status, allThreads, nil)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return 0, err
		case status.Exited() || status.Signaled():
			if thread == p.pid {
				return status.ExitStatus(), nil
			}
			continue
		}
		switch signal := status.StopSignal(); {
		case signal == syscall.SIGTRAP|inCall:
			p.call(thread)
		case signal == syscall.SIGTRAP, signal == syscall.SIGSTOP && !known[thread]: // a thread begins
			known[thread] = true
			p.goOn(thread, 0)
		default:
			p.goOn(thread, int(signal))
		}
	}
}

// goOn fails where the process was killed meanwhile; its end is waited for.
func (p *tracee) goOn(thread, signal int) { _ = syscall.PtraceSyscall(thread, signal) }

// call is at the begin or the end of a system call.
func (p *tracee) call(thread int) {
	defer p.goOn(thread, 0)
	var regs syscall.PtraceRegs
	if syscall.PtraceGetRegs(thread, &regs) != nil {
		return
	}
	if p.inside[thread] = !p.inside[thread]; !p.inside[thread] {
		if errno, ok := p.failed[thread]; ok {
			delete(p.failed, thread)
			regs.Rax = -uint64(errno)
			_ = syscall.PtraceSetRegs(thread, &regs)
		}
		return
	}
	// Standard output and error are not on the disk, and Go wakes its own poller by a
	// write of eight bytes.
	written := regs.Orig_rax == syscall.SYS_PWRITE64 || regs.Orig_rax == syscall.SYS_WRITE && regs.Rdi > 2 && regs.Rdx != 8
	if !slices.Contains(faultCalls, regs.Orig_rax) || regs.Orig_rax == syscall.SYS_WRITE && !written {
		return
	}
	p.calls++
	if p.at == 0 || p.calls < p.at || p.calls > p.at && !(p.fault.stays && written) {
		return
	}
	if p.met == 0 {
		p.met = regs.Orig_rax + 1
	}
	if p.fault.errno == 0 {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
		return
	}
	p.failed[thread] = p.fault.errno
	regs.Orig_rax = ^uint64(0) // no call at all
	_ = syscall.PtraceSetRegs(thread, &regs)
}

// metBy is whether the fault met one of some system calls first.
func (p *tracee) metBy(calls ...uint64) bool {
	return p.met > 0 && slices.Contains(calls, p.met-1)
}

func TestTracee(t *testing.T) {
	s := newSandbox(t).words()
	s.write(keptFile, keptText)
	p, r := s.traced(fault{}, 0, "version")
	if r.code != 0 || p.calls != 0 {
		t.Errorf("a command that writes nothing: exit code %d, %d calls", r.code, p.calls)
	}
	p, r = s.traced(fault{}, 0, "add", "kept")
	if r.code != 0 || p.calls < 20 || p.met != 0 {
		t.Errorf("one that makes a store: exit code %d, %d calls", r.code, p.calls)
	}
	if p, r = s.traced(fault{errno: syscall.EIO}, 2, "remove", "kept"); r.code != 1 || p.met == 0 || !strings.Contains(r.err, "the disk is full or failed") {
		t.Errorf("its second call fails: exit code %d, %q", r.code, r.err)
	}
	if p, r = s.traced(fault{}, 2, "remove", "kept"); r.code != -1 || p.met == 0 || p.calls != 2 {
		t.Errorf("killed before it: exit code %d, %d calls", r.code, p.calls)
	}
}
