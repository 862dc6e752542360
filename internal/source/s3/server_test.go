package s3

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// server speaks the part of S3's protocol that is used, and judges what it is asked as S3
// does: signature, date, bucket, parameters, conditions.
type server struct {
	*httptest.Server
	clock   *testkit.Clock
	secret  string // "" is a bucket that is open to everyone
	perPage int

	mu      sync.Mutex
	objects map[string]string // by key
	faults  map[string]int    // by key, or "list 2" for the second page: a status
	asked   []string
	next    string // how a listing goes on, where it does not as it should: none, same, endless
}

func newServer(t *testing.T, objects map[string]string) *server {
	s := &server{clock: testkit.NewClock(), secret: "secret/+", perPage: 3, objects: objects, faults: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func etag(text string) string { return fmt.Sprintf("%q", fmt.Sprintf("%x", md5.Sum([]byte(text)))) }

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if code := s.forbidden(r); code != "" {
		s.refuse(w, 403, code)
		return
	}
	bucket, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case r.Method != http.MethodGet:
		s.refuse(w, 405, "MethodNotAllowed")
	case bucket != "rules":
		s.refuse(w, 404, "NoSuchBucket")
	case key == "":
		s.list(w, r)
	default:
		s.asked = append(s.asked, key)
		text, ok := s.objects[key]
		switch {
		case s.faults[key] != 0:
			s.refuse(w, s.faults[key], "InternalError")
		case !ok:
			s.refuse(w, 404, "NoSuchKey")
		case r.Header.Get("If-Match") != "" && r.Header.Get("If-Match") != etag(text):
			s.refuse(w, 412, "PreconditionFailed")
		default:
			w.Header().Set("ETag", etag(text))
			fmt.Fprint(w, text)
		}
	}
}

func (*server) refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>%s</Code><Message>text &amp; more</Message></Error>", code)
}

func (s *server) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if q.Get("list-type") != "2" || q.Get("encoding-type") != "url" {
		s.refuse(w, 400, "InvalidArgument")
		return
	}
	after := ""
	if token := q.Get("continuation-token"); token != "" {
		b, err := base64.StdEncoding.DecodeString(token)
		if err != nil {
			s.refuse(w, 400, "InvalidArgument")
			return
		}
		after = string(b)
	}
	var keys []string
	for key := range s.objects {
		if strings.HasPrefix(key, q.Get("prefix")) && key > after {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	if status := s.faults["after "+after]; status != 0 {
		s.refuse(w, status, "SlowDown")
		return
	}
	type content struct {
		Key, ETag, LastModified, StorageClass string
		Size                                  int
	}
	result := struct {
		XMLName               xml.Name `xml:"http://s3.amazonaws.com/doc/2006-03-01/ ListBucketResult"`
		Name, Prefix          string
		KeyCount, MaxKeys     int
		EncodingType          string
		IsTruncated           bool
		NextContinuationToken string `xml:",omitempty"`
		Contents              []content
	}{Name: "rules", Prefix: url.QueryEscape(q.Get("prefix")), MaxKeys: s.perPage, EncodingType: "url"}
	for i, key := range keys {
		if i == s.perPage {
			result.IsTruncated = true
			result.NextContinuationToken = base64.StdEncoding.EncodeToString([]byte(keys[i-1]))
			break
		}
		result.Contents = append(result.Contents, content{url.QueryEscape(key), etag(s.objects[key]), "2026-01-01T00:00:00.000Z", "STANDARD", len(s.objects[key])})
	}
	switch {
	case s.next == "none":
		result.IsTruncated, result.NextContinuationToken = true, ""
	case s.next == "same":
		result.IsTruncated, result.NextContinuationToken = true, base64.StdEncoding.EncodeToString([]byte("2.md"))
	case s.next == "endless":
		result.IsTruncated, result.NextContinuationToken = true, base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x01", len(after)%9+1)))
	}
	result.KeyCount = len(result.Contents)
	fmt.Fprint(w, xml.Header)
	xml.NewEncoder(w).Encode(result)
}

// forbidden verifies a request from what came, by the steps of the specification and
// sharing nothing with what signed it. "" is a request that may pass.
func (s *server) forbidden(r *http.Request) string {
	if s.secret == "" {
		return ""
	}
	rest, ok := strings.CutPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	if !ok {
		return "AccessDenied"
	}
	fields := map[string]string{}
	for part := range strings.SplitSeq(rest, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		fields[name] = value
	}
	credential := strings.Split(fields["Credential"], "/")
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	switch {
	case len(credential) != 5 || credential[0] != "ID":
		return "InvalidAccessKeyId"
	case err != nil || s.clock.Now().Sub(at).Abs() > 15*time.Minute:
		return "RequestTimeTooSkewed"
	case credential[1] != at.Format("20060102") || credential[2] != "eu-north-1" || credential[3] != "s3" || credential[4] != "aws4_request":
		return "AuthorizationHeaderMalformed"
	case r.Header.Get("X-Amz-Content-Sha256") != fmt.Sprintf("%x", sha256.Sum256(nil)):
		return "XAmzContentSHA256Mismatch"
	}
	signed := strings.Split(fields["SignedHeaders"], ";")
	if !slices.IsSorted(signed) || !slices.Contains(signed, "host") {
		return "AccessDenied"
	}
	for name := range r.Header {
		if low := strings.ToLower(name); strings.HasPrefix(low, "x-amz-") && !slices.Contains(signed, low) {
			return "AccessDenied"
		}
	}
	text := "GET\n"
	for i, segment := range strings.Split(r.URL.Path, "/") {
		if i > 0 {
			text += "/"
		}
		text += strict(segment)
	}
	var pairs []string
	for name, values := range r.URL.Query() {
		for _, v := range values {
			pairs = append(pairs, strict(name)+"="+strict(v))
		}
	}
	slices.Sort(pairs)
	text += "\n" + strings.Join(pairs, "&") + "\n"
	for _, name := range signed {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		text += name + ":" + strings.TrimSpace(value) + "\n"
	}
	text += "\n" + fields["SignedHeaders"] + "\n" + r.Header.Get("X-Amz-Content-Sha256")
	toSign := fmt.Sprintf("AWS4-HMAC-SHA256\n%s\n%s\n%x", r.Header.Get("X-Amz-Date"), strings.Join(credential[1:], "/"), sha256.Sum256([]byte(text)))
	sum := func(key []byte, text string) []byte {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	key := sum(sum(sum(sum([]byte("AWS4"+s.secret), credential[1]), credential[2]), "s3"), "aws4_request")
	if hex.EncodeToString(sum(key, toSign)) != fields["Signature"] {
		return "SignatureDoesNotMatch"
	}
	return ""
}

// strict is UriEncode of the specification.
func strict(s string) string {
	return strings.NewReplacer("+", "%20", "%7E", "~").Replace(url.QueryEscape(s))
}
