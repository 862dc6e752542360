package analyze

import (
	"maps"
	"slices"

	"github.com/seed-d3156d19/quarry/store"
)

// Question is a question as the lanes take it.
type Question struct {
	Terms       []store.QueryTerm // unique, in the order of the question
	Identifiers []store.QueryTerm // unique; whole ones first
	Whole       []string          // the identifiers that the question gives whole
}

// weightOfPart is what a part of a compound counts beside the compound, so that a
// question of one word asks for one.
const weightOfPart = 0.5

// ForQuestion analyses a question as each of the languages that the passages have
// (see Present) besides those of the default: a word whose stems differ has a term for
// each, and since a passage holds that of its own language, it counts once. Function
// words of the question's language are left out unless the question has nothing else; a
// term said twice counts once.
func ForQuestion(text string, present ...Language) Question {
	var q Question
	readings := readingsOf(text, present)
	function := functionWordsOf(readings, present)
	q.Terms = queryTerms(readings, function)
	if len(q.Terms) == 0 {
		q.Terms = queryTerms(readings, nil)
	}
	found := QuestionIdentifiers(text)
	seen := map[string]bool{}
	for _, part := range []bool{false, true} {
		for _, f := range found {
			if f.Part != part || seen[f.Value] {
				continue
			}
			seen[f.Value] = true
			weight := 1.0
			if part {
				weight = weightPart
			} else {
				q.Whole = append(q.Whole, f.Value)
			}
			q.Identifiers = append(q.Identifiers, store.QueryTerm{Term: f.Value, Weight: weight})
		}
	}
	return q
}

// ContentWord is a word of a question that is no function word.
type ContentWord struct {
	Terms []string // in the readings of ForQuestion
	// Identifier is set where it is within an identifier, for which there is a lane.
	Identifier bool
}

// ContentWords are the words of a question but its function words, in their order. Parts of
// compounds are left out.
func ContentWords(text string, present ...Language) []ContentWord {
	readings := readingsOf(text, present)
	function := functionWordsOf(readings, present)
	terms := map[int][]string{} // by where their word begins
	for _, words := range readings {
		for _, w := range words {
			if !w.Part && !function[w.From] && !slices.Contains(terms[w.From], w.Term) {
				terms[w.From] = append(terms[w.From], w.Term)
			}
		}
	}
	identifiers := QuestionIdentifiers(text)
	var out []ContentWord
	for _, at := range slices.Sorted(maps.Keys(terms)) {
		out = append(out, ContentWord{terms[at], slices.ContainsFunc(identifiers, func(f Found) bool { return f.From <= at && at < f.To })})
	}
	return out
}

// readingsOf are the words of a text as of the default languages, and of each of those
// present.
func readingsOf(text string, present []Language) [][]Word {
	readings := [][]Word{Words(text)}
	for _, l := range present {
		readings = append(readings, byDefault.with(l).Words(text))
	}
	return readings
}

// queryTerms are the terms of all readings but of words that begin at one of the skipped
// offsets, each with the greatest of its weights.
func queryTerms(readings [][]Word, skip map[int]bool) []store.QueryTerm {
	var out []store.QueryTerm
	seen := map[string]int{}
	for _, words := range readings {
		for _, w := range words {
			if skip[w.From] {
				continue
			}
			weight := 1.0
			if w.Part {
				weight = weightOfPart
			}
			if at, ok := seen[w.Term]; ok {
				out[at].Weight = max(out[at].Weight, weight)
				continue
			}
			seen[w.Term] = len(out)
			out = append(out, store.QueryTerm{Term: w.Term, Weight: weight})
		}
	}
	return out
}

// generalWords are common in any English text and name no topic. They are searched
// for like all others, but whether a passage answers does not hang on them: a
// corpus of a few hundred passages cannot tell by idf that "still" says less
// than "refund".
var generalWords = set(
	"go", "goes", "going", "gone", "went", "come", "comes", "came", "coming", "take", "takes", "taken", "took", "taking",
	"make", "makes", "made", "making", "give", "gives", "given", "gave", "giving", "put", "puts", "see", "sees", "seen", "saw", "look", "looks", "looking",
	"want", "wants", "wanted", "need", "needs", "needed", "use", "uses", "used", "using", "say", "says", "said", "think", "find", "found",
	"keep", "keeps", "kept", "try", "tried", "trying", "ask", "asks", "asked", "asking", "happen", "happens", "happened", "become", "becomes",
	"mean", "means", "meant", "like", "likes", "allow", "allowed", "allows", "able", "possible", "turn", "turns", "show", "shows", "seem", "seems",
	"still", "yet", "already", "again", "ever", "always", "often", "once", "now", "today", "soon", "later", "earlier", "sometimes", "usually", "normally",
	"much", "many", "more", "most", "less", "least", "few", "lot", "lots", "long", "big", "small", "new", "old", "good", "bad", "better", "best",
	"right", "sure", "else", "other", "others", "another", "same", "different", "way", "ways", "thing", "things", "something", "anything", "nothing", "everything",
	"people", "person", "everyone", "everybody", "time", "times", "kind", "kinds", "sort", "case", "cases", "part", "bit", "own", "next", "last",
	"back", "up", "down", "out", "off", "over", "through", "between", "each", "every", "both", "all", "only", "even", "really", "actually", "exactly",
	"high", "low", "far", "early", "late", "fast", "quick", "quickly", "date", "dates", "number", "numbers", "amount", "amounts", "name", "names", "answer", "question",
	"currently", "quite", "rather", "after", "before", "until", "since", "upon", "among", "above", "below", "without", "per", "via", "etc", "well", "kindly", "instead", "apply", "applies", "applied", "during", "within", "under",
)

// functionWords carry grammar, not topic. Words that turn a meaning round or
// place it in time ("not", "without", "before", "after", "until") are not among
// them. They are indexed like all others and left out of questions only.
var functionWords = set(
	"a", "an", "the", "this", "that", "these", "those", "there", "here",
	"i", "me", "my", "mine", "we", "us", "our", "ours", "you", "your", "yours", "he", "him", "his", "she", "her", "hers",
	"it", "its", "they", "them", "their", "theirs", "one", "someone", "anyone", "somebody", "anybody",
	"is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "doing", "done",
	"has", "have", "had", "having", "can", "could", "will", "would", "shall", "should", "may", "might", "must",
	"what", "which", "who", "whom", "whose", "when", "where", "why", "how",
	"of", "in", "on", "at", "by", "for", "to", "from", "with", "as", "into", "onto", "about", "than", "then", "if",
	"and", "or", "but", "so", "because", "while", "also", "just", "any", "some", "such", "very", "too", "s", "t",
	"im", "ive", "its", "whats", "thats", "theres", "lets", "please", "tell", "know", "let", "get", "got", "there",
)

// IsFunctionWord reports whether a folded word is one.
func IsFunctionWord(folded string) bool { return functionWords[folded] }

// IsGeneralWord reports whether a folded word is common in any text.
func IsGeneralWord(folded string) bool { return generalWords[folded] }

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
