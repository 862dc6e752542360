package s3

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Examples that Amazon publishes: Authenticating Requests: Using the Authorization Header
// (Amazon S3 API Reference), and the case get-vanilla of the Signature Version 4 test
// suite.
func TestPublishedSignatures(t *testing.T) {
	s3 := time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		what, url string
		header    string
		want      string
	}{
		{"get an object", "https://examplebucket.s3.amazonaws.com/test.txt", "Range: bytes=0-9", "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
		{"get a bucket's lifecycle", "https://examplebucket.s3.amazonaws.com/?lifecycle=", "", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
		{"list objects", "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J", "", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
	} {
		r, err := http.NewRequest(http.MethodGet, c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if name, value, ok := strings.Cut(c.header, ": "); ok {
			r.Header.Set(name, value)
		}
		Key{ID: "AKIAIOSFODNN7EXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}.sign(r, "us-east-1", s3)
		if got := r.Header.Get("Authorization"); !strings.HasSuffix(got, ",Signature="+c.want) {
			t.Errorf("%s: %s", c.what, got)
		}
	}
	r, err := http.NewRequest(http.MethodGet, "https://example.amazonaws.com/", nil)
	if err != nil {
		t.Fatal(err)
	}
	Key{ID: "AKIDEXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}.authorize(r, "us-east-1", "service", time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC))
	if got, want := r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,SignedHeaders=host;x-amz-date,Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"; got != want {
		t.Errorf("get-vanilla: %s", got)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a b+c/ü?%2F&=~'()*")
	f.Fuzz(func(t *testing.T, s string) {
		for _, slash := range []bool{false, true} {
			if back, err := url.PathUnescape(escape(s, slash)); err != nil || back != s {
				t.Errorf("%q comes back as %q, %v", s, back, err)
			}
		}
		if back, err := url.QueryUnescape(escape(s, false)); err != nil || back != s {
			t.Errorf("%q comes back as %q, %v", s, back, err)
		}
	})
}
