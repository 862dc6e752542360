package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/internal/source/remote"
)

// repository is a bare repository of ours, into which others are fetched. git never runs
// within another's, whose configuration could name programs to run.
type repository struct {
	git string // the program
	dir string
	at  address
	env []string
	set []string // configuration
}

// outputDelay is how long, once git has ended or was ended, its output is waited for: a
// helper of it that hangs on the network keeps that open beyond any time limit.
const outputDelay = 2 * time.Second

// settings hold for every run, whatever the system and its user have configured: no
// hook, no helper, no other protocol, no redirect, and objects are checked as they come.
var settings = []string{"core.hooksPath=" + os.DevNull, "core.fsmonitor=false", "credential.helper=", "http.followRedirects=false",
	"transfer.fsckObjects=true", "fetch.recurseSubmodules=false", "gc.auto=0", "maintenance.auto=false", "protocol.allow=never"}

// open prepares a repository of ours; the remote's host is looked up here, so that its
// address is judged and stays the one that was.
func (s *Repository) open(ctx context.Context, dir string) (*repository, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, errors.New("the program git is not found: install it")
	}
	r := &repository{git: program, dir: dir, at: s.at, set: append([]string{"protocol." + s.at.url.Scheme + ".allow=always"}, settings...)}
	ssh := "ssh -o BatchMode=yes"
	if s.at.url.Scheme != "file" && !s.options.Private {
		ip, err := public(ctx, s.options.Resolver, s.at.url.Hostname())
		if err != nil {
			return nil, err
		}
		port := s.at.url.Port()
		if port == "" {
			port = "443"
		}
		at := ip
		if strings.Contains(ip, ":") {
			at = "[" + ip + "]"
		}
		r.set = append(r.set, fmt.Sprintf("http.curloptResolve=%s:%s:%s", s.at.url.Hostname(), port, at))
		ssh += fmt.Sprintf(" -o HostName=%s -o HostKeyAlias=%s", ip, s.at.url.Hostname())
	}
	for _, name := range []string{"PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR", "TEMP", "SSH_AUTH_SOCK"} {
		if value, ok := os.LookupEnv(name); ok {
			r.env = append(r.env, name+"="+value)
		}
	}
	r.env = append(r.env, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_ATTR_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
		"SSH_ASKPASS_REQUIRE=never", "GIT_SSH_COMMAND="+ssh, "GIT_ALLOW_PROTOCOL="+s.at.url.Scheme, "GIT_NO_LAZY_FETCH=1", "GIT_DIR="+dir)
	if _, err := os.Stat(dir); err == nil {
		return r, nil
	}
	_, err = r.run(ctx, "init", "--quiet", "--bare", "--template=")
	return r, err
}

// public gives an address of a host, unless one of them is none of the public internet.
func public(ctx context.Context, resolver *net.Resolver, host string) (string, error) {
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	found, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(found) == 0 {
		return "", fmt.Errorf("the host %s is not found", host)
	}
	for _, a := range found {
		if what := remote.Reserved(a); what != "" {
			return "", fmt.Errorf("%s is %s: %w", a.Unmap(), what, remote.ErrPrivate)
		}
	}
	return found[0].Unmap().String(), nil
}

func (r *repository) command(ctx context.Context, args ...string) *exec.Cmd {
	var all []string
	for _, s := range r.set {
		all = append(all, "-c", s)
	}
	cmd := exec.CommandContext(ctx, r.git, append(all, args...)...)
	cmd.Env = r.env
	cmd.Dir = os.TempDir() // which is no repository
	cmd.WaitDelay = outputDelay
	return cmd
}

// run runs git and gives its output. What it says of an error is one line of it.
func (r *repository) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := r.command(ctx, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("git %s: %s", args[0], said(errs.String(), err))
}

// said is the line of git's messages that says most: the last that is fatal, or the last.
func said(messages string, err error) string {
	said := err.Error()
	for line := range strings.Lines(messages) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(said, "fatal: ") && !strings.HasPrefix(line, "fatal: ") {
			continue
		}
		said = line
	}
	said = strings.TrimPrefix(said, "fatal: ")
	if r := []rune(said); len(r) > 200 {
		said = string(r[:200]) + "…"
	}
	return said
}
