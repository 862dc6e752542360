// Package s3 reads the objects of a bucket, of Amazon S3 or of a server that speaks its
// protocol, as a source.
//
// It lists the bucket (ListObjectsV2) and gets what is new or has another ETag
// (GetObject) into a folder beside the store, which is read like any other, with its
// sidecars. Two requests are not worth a client library larger than the rest of this
// program's network code; the signature is checked against Amazon's published examples.
package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/seed-d3156d19/quarry/internal/source"
	"github.com/seed-d3156d19/quarry/internal/source/mirror"
	"github.com/seed-d3156d19/quarry/internal/source/remote"
)

// Options of a bucket.
type Options struct {
	remote.Options
	// Dir is the folder of what was fetched.
	Dir string
	// MaxBytes is the largest object that is read.
	MaxBytes int64
	// Attachments gives what is attached to a message; see source.Options.
	Attachments func(name string, data []byte) []source.Attachment
	// MaxObjects is how many a bucket may have below the prefix.
	MaxObjects int
	// URL is where the server is. "": Amazon's, in the region.
	URL string
	// Region is the bucket's. "": us-east-1.
	Region string
	// Key signs requests; see Key.
	Key Key
}

// Bucket is a bucket, or what of it has a prefix. It implements source.Place.
type Bucket struct {
	name     string
	prefix   string // "" or ends with a slash
	endpoint *url.URL
	inPath   bool // the bucket's name is a part of the path, and not of the host
	options  Options
}

// validName is what S3 calls a bucket (Bucket naming rules, Amazon S3 User Guide).
var validName = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// Open looks at an address such as s3://bucket/prefix/. Nothing is fetched.
func Open(root string, o Options) (*Bucket, error) {
	bad := func(why string) (*Bucket, error) {
		return nil, fmt.Errorf("the bucket's address cannot be used: %s: write it like s3://bucket/folder/", why)
	}
	rest, ok := strings.CutPrefix(root, "s3://")
	name, prefix, _ := strings.Cut(rest, "/")
	switch {
	case !ok:
		return bad("it does not begin with s3://")
	case strings.Contains(name, "@"):
		return bad("it holds a key, which would be stored and shown")
	case !validName.MatchString(name) || strings.Contains(name, ".."):
		return bad("it names no bucket")
	}
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		prefix += "/"
	}
	b := &Bucket{name: name, prefix: prefix, options: o}
	b.options.Region = cmp.Or(o.Region, "us-east-1")
	var err error
	if b.endpoint, b.inPath, err = b.at(); err != nil {
		return nil, err
	}
	return b, nil
}

// at is where requests go. Amazon's hosts are called like buckets, but for names that no
// certificate fits.
func (b *Bucket) at() (*url.URL, bool, error) {
	if b.options.URL == "" {
		host := "s3." + b.options.Region + ".amazonaws.com"
		if !regexp.MustCompile(`^[a-z0-9-]+$`).MatchString(b.options.Region) {
			return nil, false, errors.New("sources.s3.region is no region's name")
		}
		if strings.Contains(b.name, ".") {
			return &url.URL{Scheme: "https", Host: host}, true, nil
		}
		return &url.URL{Scheme: "https", Host: b.name + "." + host}, false, nil
	}
	u, err := url.Parse(b.options.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, false, errors.New("sources.s3.url is no address of a server: give one such as https://minio.example.org")
	}
	return u, true, nil
}

// Kind implements source.Place.
func (b *Bucket) Kind() string { return "bucket" }

// Root implements source.Place.
func (b *Bucket) Root() string { return "s3://" + b.name + "/" + b.prefix }

// Name is a name for the source.
func (b *Bucket) Name() string { return strings.Trim(b.name+"/"+b.prefix, "/") }

// version is what is noted with an object: its ETag.
type version struct {
	ETag string `json:"etag"`
}

// List implements source.Place: it lists the bucket and brings the folder up to date.
func (b *Bucket) List(ctx context.Context) (source.Listing, error) {
	l, err := b.bring(ctx)
	if err != nil && ctx.Err() == nil {
		return source.Listing{}, fmt.Errorf("bucket %s: %w", b.Root(), err)
	}
	return l, err
}

func (b *Bucket) bring(ctx context.Context) (source.Listing, error) {
	copies, err := mirror.Open[version](b.options.Dir, func(path string) string { return path })
	if err != nil {
		return source.Listing{}, err
	}
	defer copies.Close()
	f := &fetch{bucket: b, client: remote.New(b.options.Options), copies: copies, faults: map[string]error{}}
	objects, err := b.list(ctx, f.client)
	if err != nil {
		return source.Listing{}, err
	}
	if err := f.all(ctx, objects); err != nil {
		return source.Listing{}, err
	}
	folder, err := source.Open(mirror.Data(b.options.Dir), source.Options{MaxBytes: b.options.MaxBytes, Attachments: b.options.Attachments, Copy: true})
	if err != nil {
		return source.Listing{}, err
	}
	l, err := folder.List(ctx)
	l.Skipped = append(l.Skipped, f.skipped...)
	return l.With(f.faults), err
}

// get gets one object as it was listed.
func (b *Bucket) get(ctx context.Context, client *remote.Client, o object) ([]byte, error) {
	header := http.Header{}
	if o.ETag != "" {
		header.Set("If-Match", o.ETag)
	}
	a, err := client.Get(ctx, b.request(o.Key, nil, header, b.options.MaxBytes))
	var passing *remote.Failure
	switch {
	case errors.As(err, &passing):
		return nil, fmt.Errorf("%w: %w", err, source.ErrUnavailable)
	case err != nil:
		return nil, err
	case a.Status == http.StatusNotFound:
		return nil, fmt.Errorf("it answers 404: %w", source.ErrGone)
	case a.Status == http.StatusPreconditionFailed:
		return nil, fmt.Errorf("it changed while the bucket was read: %w", source.ErrUnavailable)
	case a.Status >= 500:
		return nil, fmt.Errorf("%w: %w", refused(a), source.ErrUnavailable)
	case a.Status != http.StatusOK:
		return nil, refused(a)
	case a.Long:
		return nil, source.TooLarge(b.options.MaxBytes+1, b.options.MaxBytes)
	}
	return a.Body, nil
}
