// Package wordpiece is the tokenizer of BERT: its basic tokenizer followed by
// WordPiece, over the vocabulary of all-MiniLM-L6-v2 (uncased English, 30,522
// entries), which is built in, or over one that is loaded. The built-in one's tokens
// are the unit of every limit and budget, whatever model is in use, and the built-in
// model's input; a loaded one's are the input of its model only.
//
// The method is that of Devlin et al., "BERT: Pre-training of Deep Bidirectional
// Transformers" (2019), section 3, as its published code does it:
//
//  1. control characters are dropped, white space separates words;
//  2. CJK ideographs are words of their own;
//  3. canonical decomposition (NFD), nonspacing marks dropped, lower case;
//  4. punctuation characters are words of their own;
//  5. each word is cut greedily into the longest entries of the vocabulary, all
//     but the first with the prefix "##"; a word that cannot be cut so, or of
//     more than 100 characters, is the one token [UNK].
//
// A loaded vocabulary may do without cleaning, step 2 or the parts of step 3, as
// cased ones do, and have another prefix, length or unknown token (Settings).
//
// Two things follow that callers rely on. Words are independent, so counts add
// up over texts cut at white space. And a token count says nothing of the length
// of a text: a megabyte without a space is one token.
//
// Special tokens are never recognised in a text: "[SEP]" in a document is three
// words, as text from documents is data. All functions may be called
// concurrently.
package wordpiece

// Ids of the built-in vocabulary's special tokens, for those who assemble a model's
// input.
const (
	Pad  int32 = 0
	Unk  int32 = 100
	Cls  int32 = 101
	Sep  int32 = 102
	Mask int32 = 103
)

// Size is the number of entries of the built-in vocabulary.
const Size = 30522

// Token is an entry of the vocabulary found in a text. [From, To) are the bytes
// of the text that it was made of; a dropped mark after the last character is
// not among them.
type Token struct {
	ID       int32
	From, To int
}

// Count is the number of tokens of text by the built-in vocabulary, special tokens
// not included. It does not allocate.
func Count(text string) int { return load().tokens(text) }

// Encode gives the tokens of text by the built-in vocabulary, special tokens not
// included.
func Encode(text string) []Token { return load().Encode(text) }

// tokens is the number of tokens of text.
func (v *Vocabulary) tokens(text string) int {
	var w words
	w.init(v, text)
	n := 0
	for w.next() {
		n += v.count(&w)
	}
	return n
}

// Encode gives the tokens of text, special tokens not included.
func (v *Vocabulary) Encode(text string) []Token {
	var w words
	w.init(v, text)
	out := make([]Token, 0, len(text)/4+1)
	var spans []span
	for w.next() {
		if w.chars > v.maxChars {
			out = append(out, Token{ID: v.unk, From: w.from, To: w.to})
			continue
		}
		spans = w.align(spans[:0])
		first := len(out)
		for at := 0; at < w.size; {
			id, n := v.match(w.word()[at:], at > 0)
			if n == 0 {
				out = append(out[:first], Token{ID: v.unk, From: w.from, To: w.to})
				break
			}
			out = append(out, Token{ID: id, From: spans[at].from, To: spans[at+n-1].to})
			at += n
		}
	}
	return out
}

// Cut gives the length in bytes of the longest prefix of text that ends at the
// end of a word, or of text, and has at most n tokens of the built-in vocabulary.
// Where already the first word has more, it gives the longest prefix of that word
// that has at most n, and at least a character. n must be at least 1.
func Cut(text string, n int) int {
	v := load()
	var w words
	w.init(v, text)
	end, sum := 0, 0
	for w.next() {
		k := v.count(&w)
		if sum+k > n {
			if end > 0 {
				return end
			}
			return cutWord(Encode(text[:w.to]), n)
		}
		sum += k
		end = w.to
	}
	return len(text)
}

// cutWord gives where to end a word of more than n tokens. Greedy matching makes
// of a prefix that ends between two tokens the same tokens as of the whole; but
// two tokens may share a character, as a Hangul syllable is up to three.
func cutWord(tokens []Token, n int) int {
	for i := n - 1; i > 0; i-- {
		if tokens[i+1].From >= tokens[i].To {
			return tokens[i].To
		}
	}
	return tokens[0].To
}
