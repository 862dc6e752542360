package s3

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-d3156d19/quarry/internal/source/remote"
)

// maxPage bounds a page of a listing: a thousand keys of at most a kilobyte, escaped.
const maxPage = 8 << 20

// object is one of a listing.
type object struct {
	Key  string
	ETag string
	Size int64
}

// page is an answer to ListObjectsV2.
type page struct {
	XMLName   xml.Name `xml:"ListBucketResult"`
	Encoding  string   `xml:"EncodingType"`
	Truncated bool     `xml:"IsTruncated"`
	Next      string   `xml:"NextContinuationToken"`
	Contents  []object
}

// list gives the objects below the prefix: all of them, as a sidecar that closes an object
// may stand on a later page.
func (b *Bucket) list(ctx context.Context, client *remote.Client) ([]object, error) {
	var all []object
	for token := ""; ; {
		query := map[string]string{"list-type": "2", "encoding-type": "url", "prefix": b.prefix}
		if token != "" {
			query["continuation-token"] = token
		}
		p, err := b.page(ctx, client, query)
		if err != nil {
			return nil, fmt.Errorf("listing its objects: %w", err)
		}
		all = append(all, p.Contents...)
		switch {
		case !p.Truncated:
			return all, nil
		case p.Next == "" || p.Next == token:
			return nil, errors.New("listing its objects: the server does not say how to go on")
		case len(all) >= b.options.MaxObjects:
			return nil, fmt.Errorf("listing its objects: there are more than %d: add a prefix of it, or raise sources.s3.objects", b.options.MaxObjects)
		}
		token = p.Next
	}
}

func (b *Bucket) page(ctx context.Context, client *remote.Client, query map[string]string) (page, error) {
	a, err := client.Get(ctx, b.request("", query, nil, maxPage))
	switch {
	case err != nil:
		return page{}, err
	case a.Status != http.StatusOK:
		return page{}, refused(a)
	case a.Long:
		return page{}, errors.New("a page of it is too long")
	}
	return parsePage(a.Body)
}

// parsePage reads an answer; keys come escaped, as XML cannot hold all that they may.
func parsePage(body []byte) (p page, err error) {
	if err := xml.Unmarshal(body, &p); err != nil {
		return p, errors.New("the answer is no listing: check sources.s3.url")
	}
	for i := range p.Contents {
		if p.Encoding != "url" {
			break
		}
		key, err := url.QueryUnescape(p.Contents[i].Key)
		if err != nil {
			return p, errors.New("the answer holds a key that cannot be read")
		}
		p.Contents[i].Key = key
	}
	return p, nil
}

// request asks for a key, or with none for the bucket, in the place that the endpoint has.
func (b *Bucket) request(key string, query map[string]string, header http.Header, limit int64) remote.Request {
	at := *b.endpoint
	path := strings.TrimSuffix(at.EscapedPath(), "/") + "/"
	if b.inPath {
		path += escape(b.name, false) + "/"
	}
	path += escape(key, true)
	at.RawPath = path
	at.Path, _ = url.PathUnescape(path)
	names := make([]string, 0, len(query))
	for name := range query {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = escape(name, false) + "=" + escape(query[name], false)
	}
	at.RawQuery = strings.Join(names, "&")
	return remote.Request{URL: at.String(), Header: header, Limit: limit,
		Sign: func(r *http.Request, now time.Time) { b.options.Key.sign(r, b.options.Region, now) }}
}

var code = regexp.MustCompile(`<Code>([A-Za-z0-9]{1,64})</Code>`)

// refused says what an answer means that is not as asked for.
func refused(a remote.Answer) error {
	said := ""
	if m := code.FindSubmatch(a.Body); m != nil {
		said = string(m[1])
	}
	hint := map[string]string{
		"NoSuchBucket": "check the name of the bucket", "InvalidAccessKeyId": "check AWS_ACCESS_KEY_ID",
		"SignatureDoesNotMatch": "check AWS_SECRET_ACCESS_KEY", "AccessDenied": "allow the key to list the bucket and to read its objects",
		"RequestTimeTooSkewed": "set this machine's clock", "ExpiredToken": "get a new temporary key",
		"AuthorizationHeaderMalformed": "check sources.s3.region", "PermanentRedirect": "check sources.s3.region", "IllegalLocationConstraintException": "check sources.s3.region",
	}[said]
	err := fmt.Errorf("it answers %d", a.Status)
	if said != "" {
		err = fmt.Errorf("%w (%s)", err, said)
	}
	if hint != "" {
		err = fmt.Errorf("%w: %s", err, hint)
	}
	return err
}
