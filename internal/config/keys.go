package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/seed-d3156d19/quarry/store"
)

// key is one setting: where it stands in the file, what it means, and how it is
// taken from a YAML node into Settings and written back.
type key struct {
	name string // with its groups, "chunk.max"
	doc  string // a sentence or two: what it does, unit, range
	want string // what a value must be, for errors
	set  func(*Settings, *yaml.Node) bool
	get  func(*Settings) string
	// table is whether its value is a mapping, in which set finds its way itself.
	table bool
}

// fits reports whether a node is of the kind that the key takes.
func (k key) fits(n *yaml.Node) bool {
	if k.table {
		return n.Kind == yaml.MappingNode
	}
	return n.Kind == yaml.ScalarNode
}

// groups are the keys that hold keys, in the order of the documentation.
var groups = map[string]string{
	"postgres":          "A store in a Postgres database (docs/POSTGRES.md).",
	"extract":           "How originals are read.",
	"extract.ocr":       "Text in images, by the program tesseract, which runs on this machine.",
	"chunk":             "How documents are cut into passages. Sizes are tokens of the built-in WordPiece. Changing one makes the next add index everything again.",
	"retrieval":         "How candidates are found and ranked.",
	"retrieval.weights": "The lanes' shares in fusion.",
	"embedding":         "The model that makes vectors. Passages are searchable by keyword before they have any.",
	"embedding.service": "A service that speaks OpenAI's protocol: OpenAI, Azure OpenAI, Ollama, llama.cpp, vLLM, TEI.",
	"rerank":            "A model that reads question and passage together.",
	"rerank.service":    "A reranking service. It is sent the question and the candidates' texts.",
	"generate":          "A model that writes answers from the evidence, and how what it writes is bounded. Without one answers are quoted.",
	"generate.service":  "A service of a chat model. It is sent the question and the evidence.",
	"judge":             "A model by which quarry eval judges answers, beside its own rules.",
	"judge.service":     "A service that speaks OpenAI's protocol for chats. It is sent the question, the expected and the given answer.",
	"sources":           "How documents are got. What was fetched is kept in a folder beside the store (STORE.sources).",
	"sources.site":      "Web sites.",
	"sources.git":       "Git repositories.",
	"sources.s3":        "Buckets of Amazon S3, or of a server that speaks its protocol.",
	"sources.watch":     "When quarry sync --watch looks at sources.",
	"access":            "Who is who.",
	"audit":             "A log of who asked what and which revisions were shown.",
	"evidence":          "What goes to the answer.",
	"answer":            "When an answer is given.",
	"limits":            "What is refused.",
	"keyword":           "Parameters of BM25 in the keyword lane.",
	"keyword.weights":   "How much each part of a passage counts.",
}

// keys are all settings, in the order of the documentation.
var keys = slices.Concat(storeKeys, postgresKeys, indexKeys, sourceKeys, guardKeys, modelKeys, searchKeys, generateKeys, judgeKeys)

// storeKeys say which store it is.
var storeKeys = []key{
	text("store", "Path of the store, or its postgres:// address. A relative path counts from the folder of this file. The flag --store and the variable QUARRY_STORE win over it. A password is better not written here: the server's clients read PGPASSWORD, or the file that PGPASSFILE names.",
		func(s *Settings) *string { return &s.Store }),
}

// indexKeys are the settings of what goes into the store.
var indexKeys = []key{
	anyText("extract.tika", "The address of an Apache Tika server that reads the binary formats of Office before 2007, iWork and other rare ones, such as http://localhost:9998. It is sent those documents. Empty: they are skipped, and nothing is asked of anyone.",
		func(s *Settings) *string { return &s.Tika }),
	text("extract.ocr.use", "Whether tesseract, where it is installed, recognises the text of images. auto: of pages of a PDF that have no text or none that can be read, and of files of images; pages: only of pages of a PDF; none: of nothing. After a change, or once tesseract is installed, the next add reads anew what it concerns.",
		func(s *Settings) *string { return &s.OCR.Use }),
	anyText("extract.ocr.languages", "The languages that it looks for, as tesseract calls them, separated by spaces: eng deu chi_sim. Each has to be installed, and each takes time. Empty: eng.",
		func(s *Settings) *string { return &s.OCR.Languages }),

	whole("chunk.max", "No passage is longer. 64 to 4096.", func(s *Settings) *int { return &s.Quarry.Chunk.Max }),
	whole("chunk.target", "Small neighbours within a section are joined up to it. 1 to chunk.max; without it at most half of chunk.max.",
		func(s *Settings) *int { return &s.Quarry.Chunk.Target }),
	offWhole("chunk.overlap", "How much two parts share where one paragraph, list item or table must itself be cut. 0 to a quarter of chunk.max; without it at most an eighth.",
		func(s *Settings) *int { return &s.Quarry.Chunk.Overlap }),
}

// searchKeys are the settings of finding and answering.
var searchKeys = []key{
	whole("retrieval.per_lane", "Candidates that each lane gives. 1 to 10000.", func(s *Settings) *int { return &s.Quarry.Retrieval.PerLane }),
	whole("retrieval.candidates", "Candidates that go on from fusion. 1 to 10000.", func(s *Settings) *int { return &s.Quarry.Retrieval.Candidates }),
	text("retrieval.fusion", "weighted: the weighted sum of normalised scores; rrf: reciprocal rank fusion.",
		func(s *Settings) *string { return &s.Quarry.Retrieval.Fusion }),
	number("retrieval.rrf_k", "The constant of reciprocal rank fusion. Above 0, at most 1000000.", func(s *Settings) *float64 { return &s.Quarry.Retrieval.RRFK }),
	number("retrieval.weights.keyword", "BM25 over words. 0 to 1000; a lane of weight 0 still finds candidates.",
		func(s *Settings) *float64 { return &s.Quarry.Retrieval.Weights.Keyword }),
	number("retrieval.weights.vector", "Embeddings, where a model is configured.", func(s *Settings) *float64 { return &s.Quarry.Retrieval.Weights.Vector }),
	number("retrieval.weights.identifier", "Clause numbers, part numbers, names of settings and other identifiers.",
		func(s *Settings) *float64 { return &s.Quarry.Retrieval.Weights.Identifier }),
	offNumber("retrieval.authority", "How far a document's authority lifts its passages: the most authoritative candidate's score counts 1 + authority times that of one without any. 0 to 100; 0 turns it off.", "a number, 0 to 100",
		func(s *Settings) *float64 { return &s.Quarry.Retrieval.Authority }),
	offNumber("retrieval.attributes", "How far what is for the region, product or customer that --where asks for goes before what is for none, and what is for another than the question names behind it: a score counts 1 + attributes, 1 or 1 - attributes times. 0 to 1; 0 turns it off.", "a number, 0 to 1",
		func(s *Settings) *float64 { return &s.Quarry.Retrieval.Attributes }),
	offNumber("retrieval.document", "A passage's share, in the keyword lane, of the best score of its document. Not with rrf. 0 to 1; 0 turns it off.", "a number, 0 to 1",
		func(s *Settings) *float64 { return &s.Quarry.Retrieval.Document }),
	offNumber("retrieval.related", "How far the places behind the fifth are ordered by nearness to the best passage as well. Not with rrf or without a model. 0 to 10; 0 turns it off.", "a number, 0 to 10",
		func(s *Settings) *float64 { return &s.Quarry.Retrieval.Related }),
	offNumber("retrieval.spread", "How far a passage stands back for each passage of its section before it, so that other sections have their say: its score is divided by 1 + spread for each, less for a section of more than 3000 bytes. Not with rrf. 0 to 10; 0 turns it off.", "a number, 0 to 10",
		func(s *Settings) *float64 { return &s.Quarry.Retrieval.Spread }),
	offNumber("retrieval.order", "How far a passage goes ahead in which the question's words follow each other as they do there: its score counts 1 + order times that of one without any. Not with rrf. 0 to 10; 0 turns it off.", "a number, 0 to 10",
		func(s *Settings) *float64 { return &s.Quarry.Retrieval.Order }),
	offNumber("retrieval.coverage", "How far words count more beside nearness where one passage holds all words of the question: the keyword lane's weight counts up to 1 + coverage times. Not with rrf. 0 to 100; 0 turns it off.", "a number, 0 to 100",
		func(s *Settings) *float64 { return &s.Quarry.Retrieval.Coverage }),

	whole("evidence.passages", "Passages at most. 1 to 1000.", func(s *Settings) *int { return &s.Quarry.Evidence.Passages }),
	offNumber("evidence.lead", "How far a passage behind the third must stand out from the background (the mean score from rank 21 on): by this share of the best one's lead over it, times the natural logarithm of its best place in a lane or the ranking and of the square root of its tokens over 128. Greater takes fewer passages; a question of one topic and no identifier takes as many as may go. From 0 to below 1; 0: every question takes as many passages as evidence.passages says.", "a number from 0 to below 1",
		func(s *Settings) *float64 { return &s.Quarry.Evidence.Lead }),
	whole("evidence.tokens", "Tokens at most. 1 to 1000000.", func(s *Settings) *int { return &s.Quarry.Evidence.Tokens }),
	offWhole("evidence.section", "A passage is replaced by its section where that has at most so many tokens. 0 turns it off.",
		func(s *Settings) *int { return &s.Quarry.Evidence.Section }),

	number("answer.threshold", "The least support that a sentence needs to be an answer. Above 0, at most 1; higher answers less and is wrong less.",
		func(s *Settings) *float64 { return &s.Quarry.Answer.Threshold }),
	number("answer.promise", "The least that the candidates must promise of an answer for one to be quoted: questions whose documents only come near are then left unanswered more often. 0 to 1; 0: anything is enough.",
		func(s *Settings) *float64 { return &s.Quarry.Answer.Promise }),
	whole("answer.sentences", "Sentences at most that are quoted for one requirement. 1 to 50.", func(s *Settings) *int { return &s.Quarry.Answer.Sentences }),

	workers("workers", "Documents prepared at once. auto is one per processor; else 1 to 1024."),

	byteSize("limits.document_bytes", "A larger original fails. In bytes."),

	number("keyword.k1", "How soon a repeated word stops counting. 0 to 1000.", func(s *Settings) *float64 { return &s.BM25.K1 }),
	number("keyword.b", "How far a passage's length counts against it. 0 to 1.", func(s *Settings) *float64 { return &s.BM25.B }),
	number("keyword.weights.title", "The document's title. 0 to 1000.", func(s *Settings) *float64 { return &s.BM25.Weights[store.Title] }),
	number("keyword.weights.heading_path", "The headings above it.", func(s *Settings) *float64 { return &s.BM25.Weights[store.HeadingPath] }),
	number("keyword.weights.text", "Its text.", func(s *Settings) *float64 { return &s.BM25.Weights[store.Text] }),
}

func text(name, doc string, at func(*Settings) *string) key {
	return key{name: name, doc: doc, want: "text, on one line", set: func(s *Settings, n *yaml.Node) bool {
		if n.Value == "" || n.ShortTag() != "!!str" {
			return false
		}
		*at(s) = n.Value
		return true
	}, get: func(s *Settings) string { return *at(s) }}
}

const wantWhole = "a whole number above 0"

func whole(name, doc string, at func(*Settings) *int) key {
	return key{name: name, doc: doc, want: wantWhole, set: func(s *Settings, n *yaml.Node) bool {
		v, err := strconv.Atoi(n.Value)
		if err != nil || v <= 0 || n.ShortTag() != "!!int" {
			return false
		}
		*at(s) = v
		return true
	}, get: func(s *Settings) string { return strconv.Itoa(*at(s)) }}
}

// offWhole and offNumber are settings that 0 turns off; Options says that with
// a negative number, as its 0 is the default.
func offWhole(name, doc string, at func(*Settings) *int) key {
	return key{name: name, doc: doc, want: "a whole number, 0 or more", set: func(s *Settings, n *yaml.Node) bool {
		v, err := strconv.Atoi(n.Value)
		if err != nil || v < 0 || n.ShortTag() != "!!int" {
			return false
		}
		if v == 0 {
			v = -1
		}
		*at(s) = v
		return true
	}, get: func(s *Settings) string { return strconv.Itoa(max(0, *at(s))) }}
}

func offNumber(name, doc, want string, at func(*Settings) *float64) key {
	return key{name: name, doc: doc, want: want, set: func(s *Settings, n *yaml.Node) bool {
		v, ok := float(n)
		if v == 0 {
			v = -1
		} else if v < 0 {
			return false
		}
		*at(s) = v
		return ok
	}, get: func(s *Settings) string { return format(max(0, *at(s))) }}
}

func number(name, doc string, at func(*Settings) *float64) key {
	return key{name: name, doc: doc, want: "a number", set: func(s *Settings, n *yaml.Node) bool {
		v, ok := float(n)
		*at(s) = v
		return ok
	}, get: func(s *Settings) string { return format(*at(s)) }}
}

func float(n *yaml.Node) (float64, bool) {
	v, err := strconv.ParseFloat(n.Value, 64)
	tag := n.ShortTag()
	return v, err == nil && (tag == "!!int" || tag == "!!float") && !math.IsNaN(v) && !math.IsInf(v, 0)
}

func format(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// workers says auto for one per processor, as a number would differ from machine to machine.
func workers(name, doc string) key {
	k := whole(name, doc, func(s *Settings) *int { return &s.Quarry.Workers })
	k.want = "auto or a whole number above 0"
	k.get = func(*Settings) string { return "auto" }
	set := k.set
	k.set = func(s *Settings, n *yaml.Node) bool { return n.Value == "auto" || set(s, n) }
	return k
}

func byteSize(name, doc string) key {
	return key{name: name, doc: doc, want: wantWhole, set: func(s *Settings, n *yaml.Node) bool {
		v, err := strconv.ParseInt(n.Value, 10, 64)
		if err != nil || v <= 0 || n.ShortTag() != "!!int" {
			return false
		}
		s.Quarry.DocumentBytes = v
		return true
	}, get: func(s *Settings) string { return fmt.Sprint(s.Quarry.DocumentBytes) }}
}
