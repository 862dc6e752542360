package s3

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Key is what requests are signed with. The zero Key signs nothing: a bucket that is open
// to everyone is read without one.
type Key struct {
	ID, Secret string
	Session    string // of a temporary key
}

// emptyHash is the SHA-256 of no bytes: no request here has a body.
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// sign signs a request without a body for S3 (Authenticating Requests: Using the
// Authorization Header, in the Amazon S3 API Reference).
func (k Key) sign(r *http.Request, region string, now time.Time) {
	if k.ID == "" {
		return
	}
	r.Header.Set("X-Amz-Content-Sha256", emptyHash)
	if k.Session != "" {
		r.Header.Set("X-Amz-Security-Token", k.Session)
	}
	k.authorize(r, region, "s3", now)
}

// authorize sets the headers of AWS Signature Version 4 (Signature Version 4 signing
// process, in the AWS General Reference). Host, Range and all headers of Amazon's are
// signed; path and query are taken as they are sent.
func (k Key) authorize(r *http.Request, region, service string, now time.Time) {
	const algorithm = "AWS4-HMAC-SHA256"
	at := now.UTC().Format("20060102T150405Z")
	r.Header.Set("X-Amz-Date", at)
	headers := map[string]string{"host": r.URL.Host}
	names := []string{"host"}
	for name, values := range r.Header {
		if low := strings.ToLower(name); strings.HasPrefix(low, "x-amz-") || low == "range" {
			headers[low] = strings.Join(strings.Fields(strings.Join(values, ",")), " ")
			names = append(names, low)
		}
	}
	slices.Sort(names)
	var lines strings.Builder
	for _, name := range names {
		lines.WriteString(name + ":" + headers[name] + "\n")
	}
	signed := strings.Join(names, ";")
	request := strings.Join([]string{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, lines.String(), signed, emptyHash}, "\n")
	scope := strings.Join([]string{at[:8], region, service, "aws4_request"}, "/")
	text := strings.Join([]string{algorithm, at, scope, hexSum(request)}, "\n")
	secret := []byte("AWS4" + k.Secret)
	for _, part := range strings.Split(scope, "/") {
		secret = mac(secret, part)
	}
	r.Header.Set("Authorization", algorithm+" Credential="+k.ID+"/"+scope+",SignedHeaders="+signed+",Signature="+hex.EncodeToString(mac(secret, text)))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func hexSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// escape writes a text as paths and queries have it that are signed: all but unreserved
// characters (RFC 3986) as %XX, and slashes where they separate.
func escape(s string, slash bool) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 || slash && c == '/':
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		}
	}
	return b.String()
}
