package extract

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

var (
	errDownload = errors.New("it is what a server answers when a download fails, and not the document: download it again")
	errWebPage  = errors.New("the content is a web page, which a download that failed often leaves: download it again, or give it the ending .html")
)

// Answers of servers are short. A longer text is about errors.
const (
	maxErrorText = 600  // characters that are read
	maxErrorData = 4096 // bytes of JSON or XML
)

// phrases of HTTP's status codes of errors (RFC 9110, section 15; RFC 6585), and of
// what stands before a site.
const phrases = `(?:bad request|unauthori[sz]ed|payment required|forbidden|(?:page |file |object |the page (?:you requested )?(?:was |could )?)?not (?:be )?found|method not allowed|not acceptable|` +
	`request time-?out|conflict|gone|too many requests|internal server error|not implemented|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|access denied|permission denied)`

var (
	statusTitle = lazyregexp.New(`(?i)^(?:http )?(?:error |status )?(?:(?:[45]\d\d)?[\s:|–-]*` + phrases + `|[45]\d\d)(?:[\s:|(–-]*(?:error )?[45]\d\d\)?)?[.!]?$`)
	headline    = lazyregexp.New(`(?is)<(title|h1)\b[^>]*>(.*?)</(?:title|h1)>`)
	xmlError    = lazyregexp.New(`(?s)^\s*(?:<\?xml[^>]*\?>\s*)?<Error\b[^>]*>.*<Code>.*<Message>`)
)

// noPages are formats that no web page can be read as, and whose readers would take
// one for content.
var noPages = map[string]bool{formatCSV: true, formatJSON: true, formatNotebook: true, formatSubtitles: true, formatRST: true, formatAsciiDoc: true, formatLaTeX: true}

// failedDownload is why a text is no document but what a server said instead of one.
func failedDownload(format, text string) error {
	switch {
	case format == formatHTML && errorPage(text), xmlError.MatchString(text[:min(len(text), maxErrorData)]) && len(text) < maxErrorData,
		len(text) < maxErrorText && statusTitle.MatchString(strings.TrimSpace(text)), errorData(text):
		return errDownload
	case noPages[format] && beginsLikeHTML(text):
		return errWebPage
	}
	return nil
}

// errorPage is whether a page's title or heading is a status and nothing else, and its
// text no longer than that takes.
func errorPage(page string) bool {
	const most = 64 << 10 // pages of errors come with their style
	if len(page) > most {
		return false
	}
	for _, m := range headline.FindAllStringSubmatch(page, 4) {
		if statusTitle.MatchString(shownIn(m[2])) {
			return utf8.RuneCountInString(shownIn(page)) <= maxErrorText
		}
	}
	return false
}

// shownIn is the text between the tags of a page, on one line. It takes one pass, as a
// pattern for what a tag opens does not: that looks for the end behind each beginning.
func shownIn(page string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(page))
	hidden := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return oneLine(b.String())
		case html.StartTagToken:
			name, _ := z.TagName()
			switch atom.Lookup(name) {
			case atom.Title, atom.Script, atom.Style:
				hidden = true
			}
			b.WriteByte(' ')
		case html.TextToken:
			if !hidden {
				b.Write(z.Raw())
			}
		default:
			hidden = false
			b.WriteByte(' ')
		}
	}
}

// errorKeys are those that interfaces answer errors with; among them those that say that
// it is one.
var errorKeys = map[string]bool{"error": true, "errors": true, "message": false, "code": false, "status": false, "statusCode": false, "detail": false, "title": false, "type": false,
	"instance": false, "documentation_url": false, "timestamp": false, "path": false, "success": false, "request_id": false, "requestId": false, "error_description": true, "traceId": false}

// errorData is whether a text is a JSON object that says an error and nothing else.
func errorData(text string) bool {
	if len(text) > maxErrorData || !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return false
	}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil {
		return false
	}
	failed := false
	for key := range object {
		says, known := errorKeys[key]
		if !known {
			return false
		}
		failed = failed || says
	}
	var message string
	if json.Unmarshal(object["message"], &message) == nil && statusTitle.MatchString(strings.TrimSpace(message)) {
		failed = true
	}
	return failed
}
