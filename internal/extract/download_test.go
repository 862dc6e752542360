package extract

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// TestFailedDownload: what a server says instead of a document is not indexed under
// the document's name; what a document says of errors is.
func TestFailedDownload(t *testing.T) {
	page := func(title, heading, text string) string {
		return "<!DOCTYPE html>\n<html><head><title>" + title + "</title><style>" + strings.Repeat("p{} ", 500) + "</style></head><body><h1>" + heading + "</h1><p>" + text + "</body></html>"
	}
	long := strings.Repeat("The client is told that the object does not exist. ", 20)
	for _, tt := range []struct {
		what, names, in string
		want            error
	}{
		{"a page of Apache", "a.html a.md a.txt a", page("404 Not Found", "Not Found", "The requested URL was not found on this server."), errDownload},
		{"a page of nginx", "a.html a.xml", page("502 Bad Gateway", "502 Bad Gateway", "nginx"), errDownload},
		{"a page with a title of the site", "a.html", page("Acme", "Access Denied", "You have no permission."), errDownload},
		{"an error in words", "a.html", page("Error 503: Service Unavailable", "", "Try later."), errDownload},
		{"a page under another name", "a.csv a.json a.ipynb a.rst a.adoc a.tex a.srt", page("Sign in", "Sign in", long), errWebPage},
		{"an object store", "a.xml a.txt a.csv a.md a.html a.json", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>", errDownload},
		{"an interface", "a.json a.csv a.txt a.md a", `{"error":{"code":404,"message":"Not Found"}}`, errDownload},
		{"another interface", "a.json a.md", `{"message":"Not Found","documentation_url":"https://x.example","status":"404"}`, errDownload},
		{"words alone", "a.md a.txt a.csv a.rst a", "404: Not Found\n", errDownload},
		{"a page about the error", "a.html a.txt", page("404 Not Found", "404 Not Found", long), nil},
		{"a page that names it in its title", "a.html", page("404 Not Found explained", "When a page is missing", "It was moved."), nil},
		{"a text about it", "a.md a.txt", "# 404 Not Found\n\nThe page was moved.\n", nil},
		{"a record with an error", "a.json", `{"error":"E17","remedy":"Turn it off."}`, nil},
		{"a message of a system", "a.json", `{"message":"The pump was started.","code":7}`, nil},
		{"a document in XML", "a.xml", "<Errors><Error><Code>E1</Code><Message>Too hot</Message></Error></Errors>", nil},
	} {
		for _, name := range strings.Fields(tt.names) {
			x, err := Extract(name, []byte(tt.in))
			if !errors.Is(err, tt.want) || tt.want == nil && len(x.Blocks) == 0 {
				t.Errorf("%s as %s: %v, want %v\n%.200s", tt.what, name, err, tt.want, x.Text)
			}
		}
	}
}

// TestHostileErrorPage: tags that are never closed cost one pass.
func TestHostileErrorPage(t *testing.T) {
	for _, tag := range []string{"<head>", "<script>", "<style><b>", "<h1><head>"} {
		page := "<title>404 Not Found</title>" + strings.Repeat(tag, 63<<10/len(tag))
		if took := testkit.Took(func() { errorPage(page) }); took > 2*time.Second {
			t.Errorf("%s: %v", tag, took)
		}
	}
}
