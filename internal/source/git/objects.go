package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/retry"
)

// tip is where the ref is kept that was fetched.
const tip = "refs/quarry/tip"

// tries of a fetch, at most.
const tries = 3

// lasting are words of git's messages that another try will not change.
var lasting = regexp.MustCompile(`(?i)not found|not appear to be|couldn't find remote ref|does not exist|denied|authentication|host key|dubious ownership|not allowed|fsck|invalid|bad `)

// fetch fetches the ref, again where that may help.
func (r *repository) fetch(ctx context.Context, o Options) error {
	for try := 1; ; try++ {
		err := r.once(ctx, o)
		if err == nil || ctx.Err() != nil || try == tries || lasting.MatchString(err.Error()) {
			return err
		}
		if err := o.Clock.Sleep(ctx, retry.Backoff(try)); err != nil {
			return err
		}
	}
}

func (r *repository) once(ctx context.Context, o Options) error {
	within, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	_, err := r.run(within, "fetch", "--quiet", "--no-tags", fmt.Sprintf("--depth=%d", o.Commits), "--force", "--no-write-fetch-head",
		"--end-of-options", r.at.url.String(), "+"+r.at.ref+":"+tip)
	if within.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("git fetch takes longer than %s: raise sources.git.timeout", o.Timeout)
	}
	return err
}

// file is an entry of a tree.
type file struct {
	mode, id, path string
	size           int64
}

// tree lists the files at a commit.
func (r *repository) tree(ctx context.Context, at string) ([]file, error) {
	out, err := r.run(ctx, "ls-tree", "-r", "-z", "--long", "--full-tree", at)
	if err != nil {
		return nil, err
	}
	return parseTree(string(out))
}

// parseTree reads entries of the form "MODE TYPE ID SIZE\tPATH", each with a NUL behind it.
func parseTree(out string) ([]file, error) {
	var files []file
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		meta, path, ok := strings.Cut(entry, "\t")
		part := strings.Fields(meta) // mode, type, id, size
		if !ok || len(part) != 4 {
			if entry == "" {
				continue
			}
			return nil, errors.New("git ls-tree gives what it should not")
		}
		size := int64(0) // "-" for what is no file
		if part[3] != "-" {
			var err error
			if size, err = strconv.ParseInt(part[3], 10, 64); err != nil || size < 0 {
				return nil, errors.New("git ls-tree gives what it should not")
			}
		}
		files = append(files, file{part[0], part[2], path, size})
	}
	return files, nil
}

// blobs reads the contents of files, in one run of git.
func (r *repository) blobs(ctx context.Context, files []file, each func(file, []byte) error) error {
	if len(files) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := r.command(ctx, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	answers := bufio.NewReader(out)
	for _, f := range files {
		data, err := ask(in, answers, f)
		if err == nil {
			err = each(f, data)
		}
		if err != nil {
			cancel()
			cmd.Wait()
			return err
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("git cat-file: %w", err)
	}
	return nil
}

// ask asks for one object: git answers "ID TYPE SIZE", a line feed, the content and
// another line feed.
func ask(in io.Writer, answers *bufio.Reader, f file) ([]byte, error) {
	bad := func(err error) ([]byte, error) {
		return nil, fmt.Errorf("git cat-file gives no content of %s: %w", f.path, err)
	}
	if _, err := fmt.Fprintln(in, f.id); err != nil {
		return bad(err)
	}
	line, err := answers.ReadString('\n')
	if err != nil {
		return bad(err)
	}
	if want := fmt.Sprintf("%s blob %d\n", f.id, f.size); line != want {
		return bad(errors.New(strings.TrimSpace(line)))
	}
	data := make([]byte, f.size+1)
	if _, err := io.ReadFull(answers, data); err != nil {
		return bad(err)
	}
	return data[:f.size], nil
}
