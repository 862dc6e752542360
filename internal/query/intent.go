package query

import (
	"strings"

	"github.com/seed-d3156d19/quarry/internal/lazyregexp"
)

// What documents cannot answer is recognised by the form of the sentence, so
// that a policy about cancelling is still found by "How do I cancel?": an
// order to do something, a state at this very moment, a task over a whole text.
var (
	// Verbs that change something, at the head of an order. Verbs of telling
	// (show, list, explain) are none.
	order = lazyregexp.New(`(?i)^(?:(?:hi|hello|hey|ok)[,!. ]+)?(?:please[, ]+|(?:can|could|would|will) (?:you|u)(?: please)? |i (?:want|need|would like|'d like) you to |go ahead and )*` +
		`(?:cancel|delete|remove|update|change|set|reset|unlock|lock|send|forward|email|e-mail|mail|book|reserve|order|buy|pay|refund|transfer|create|open a|file a|submit|approve|reject|assign|schedule|reschedule|renew|upgrade|downgrade|restart|reboot|deploy|install|run|execute|call|remind|notify|add|issue|raise|close|grant|revoke|sign me|enrol|enroll|register)\b(.*)`)
	// What such an order is about, so that "Update process for the wiki" is none.
	orderObject = lazyregexp.New(`(?i)^ (?:my|our|the|this|that|these|a|an|me|us|him|her|it|them|all|user|account|ticket|invoice|order|[A-Z]{2,}[-\d])`)

	live = lazyregexp.New(`(?i)\b(?:current|currently|present|live|real-time|actual|outstanding|available|remaining|today'?s|my|our|latest)\b[^.?]{0,60}\b(?:balance|stock level|exchange rate|weather|queue length|cpu load|disk usage|bank balance|share price|stock price|flight status|order status|ticket status)\b` +
		`|\b(?:balance|exchange rate|weather|share price|stock price|queue)\b[^.?]{0,40}\b(?:right now|now|at the moment|at this moment|today)\b` +
		`|\b(?:right now|at this (?:very )?moment|as we speak)\b` +
		`|\b(?:how many|which|what|who|is|are)\b[^.?]{0,60}\b(?:online|logged in|signed in|waiting|down|running)\b[^.?]{0,20}\b(?:now|currently|today|at the moment)\b` +
		`|^(?:what time is it|what(?:'s| is) the (?:time|date|weather)\b)`)

	wholeDocument = lazyregexp.New(`(?i)^(?:(?:please|can you|could you|i need you to|i need|give me|write|make|prepare)[, ]+)*(?:a |an |the )?(?:short |brief |quick |one-page |full |complete |executive )*` +
		`(?:summari[sz]e|summary of|overview of|translate|translation of|rewrite|proofread|paraphrase|tl;?dr|outline of|abstract of|compare the whole|word count|count the words|how many (?:words|pages|sections|paragraphs|headings)\b.*\b(?:in|has|have|does))\b`)
)

func intent(question string) Intent {
	q := strings.TrimSpace(question)
	if wholeDocument.MatchString(q) {
		return WholeDocument
	}
	if m := order.FindStringSubmatch(q); m != nil && orderObject.MatchString(m[1]) {
		return Action
	}
	if live.MatchString(q) {
		return LiveData
	}
	return Fact
}
