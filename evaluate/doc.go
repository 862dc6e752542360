// Package evaluate measures retrieval and answers on question sets: it loads a
// set, puts its questions to a Searcher (and an Asker), and reports metrics
// with intervals, by type of question, with the failures one by one. It knows
// nothing of how passages are found.
//
// # Judged units
//
// A question is judged at up to three levels; the finest that it has is the
// one that a metric without a prefix looks at. "doc:", "section:" and
// "passage:" before a name ask for one level.
//
//   - passage: each of the question's passages (or, where it has only spans,
//     the text of each) is a unit. A hit of the right document holds it when its text
//     contains the quote, or at least 60 % of it where the edge of the hit
//     cuts it; several hits of one document may hold it together, and the last
//     one needed counts. Quotes and texts are compared by their letters and
//     digits alone, without case, markup and white space. The right documents are
//     the sources and AlsoValid; where there are none, all.
//   - section: each of the sources is a unit, if any names a heading. A hit
//     counts for the innermost section that it is in and for those above it; of
//     headings that repeat in a document any one counts. A source without a
//     heading is level 0 of its document: every hit of the document counts.
//   - doc: each document of the sources is a unit.
//
// For sections and documents AlsoValid stands in for the source of a question
// that has one document; with several it is not clear for which.
//
// # The collapsed list
//
// Metrics look at the list collapsed to the first hit of each unit. An unjudged
// hit is its document, its innermost section, or itself, by level. A hit that
// shows nothing but units seen before is dropped, so rank and k count units. A text that
// stands in several places is one hit (Hit.Also) and shows all of them. A hit that
// holds several quotes is one entry; where each unit needs a place of its own
// (nDCG, MAP) its quotes take consecutive places. For documents and a list
// that holds each once, this is trec_eval's ranking.
//
// # Metrics
//
// R is the number of judged units, an entry is right when it is the first to
// hold a unit. Where sources have grades, those of 1 and above are relevant
// (trec_eval's relevance level 1). See Manning,
// Raghavan, Schütze, Introduction to Information Retrieval (2008), ch. 8.
//
//	recall@k       units in the first k entries / R
//	precision@k    right entries among the first k / k, however short the list (trec_eval P_k)
//	all_sources@k  1 if all R units are in the first k entries, else 0
//	mrr            1 / rank of the first right entry, 0 if none (Voorhees, TREC-8 QA track, 1999)
//	ndcg@k         DCG / ideal DCG, gain = grade, discount log2(rank+1) (Järvelin, Kekäläinen,
//	               TOIS 20(4), 2002, with the linear gain of trec_eval, not 2^grade-1)
//	map            mean over units of the precision at the place of each, 0 for those not found
//	stale@k        1 if a stale source is among the first k documents, else 0; lower is better
//	token_recall@k, token_precision@k, token_iou@k
//	               of the tokens of the judged spans T and of the first k distinct hits H:
//	               |T∩H| / |T|, |T∩H| / |H|, |T∩H| / (|T|+|H|-|T∩H|); H counts a token as
//	               often as hits repeat it, T∩H once (Smith, Troynikov, Evaluating
//	               Chunking Strategies for Retrieval, Chroma technical report, 2024).
//	               A token here is a run of letters and digits, or one other sign.
//
// k may be left out of mrr, ndcg and map (the whole list), and may be a budget
// for all: "@1500t" looks at the hits, from the first on, whose Tokens sum to at most
// 1500; a hit that does not fit ends it. precision then divides by the
// entries in the budget.
//
// Metrics of answers, with an Asker:
//
//	evidence_recall        units that the evidence holds / R: what retrieval, cut and budget left
//	answered               of the answerable questions with judged units, those answered, wholly or in part
//	answer_exact           1 if the answer is a reference answer, but for case, punctuation and articles
//	answer_f1              F1 of the words that answer and reference share (both: SQuAD, Rajpurkar et
//	                       al., EMNLP 2016; of several references the best counts)
//	answer_numbers         1 if all numbers and dates of the reference are in the answer, in any form;
//	                       absent where it has none
//	answer_correct         1 if the answer holds the reference's numbers and dates and at least half of its
//	                       words
//	answer_judged          1 if the Judge finds that the answer says what a reference says; absent
//	                       without a Judge and where it failed
//	groundedness           of the answer's sentences, those that stand in a quote they cite, and the quote
//	                       in the document; needs a Library. For quoted answers this is exact; it says
//	                       nothing of whether the answer is right
//	citation_precision     right citations / citations, over answers that cite
//	citation_recall        units cited / R; an answer without citations has 0
//	abstention_precision   of the questions answered "insufficient", those that are unanswerable
//	abstention_recall      of the unanswerable questions, those answered "insufficient"
//	answered_unanswerable  of the unanswerable questions, those answered, wholly or in part
//	class_accuracy         of the questions of type needs_information and not_a_document_question,
//	                       those whose answer has that status
//	needs_information_precision, needs_information_recall,
//	not_a_document_question_precision, not_a_document_question_recall
//	                       of the answers with that status, those whose question is of that type; of the
//	                       questions of that type, those whose answer has that status. A question of type
//	                       whole_document is rightly, but need not be, no document question
//
// An answer that was not given is wrong, and has 0 in answer_exact, answer_f1,
// answer_numbers, answer_correct and answer_judged where the question is answerable and has a
// reference. "gold:" before answered, answer_*, groundedness and citation_* asks for the
// answer that a GoldAsker makes of the passages that hold the judged units: the difference
// between the two is what retrieval costs the answer, the rest is generation's.
//
// A citation is right if it is of a judged unit at the question's finest
// level: its quote holds the judged quote as a hit would, or is part of it; or it
// is of that section or document. Questions of the two types above count in
// no abstention metric.
//
// Report.Answers counts wrong answers by whose doing they are: retrieval's, where a
// judged unit was not in the evidence, or generation's, where all were.
//
// # Which questions count
//
// A question without judgements for a metric does not count in it; a metric
// without questions is absent, never 0. Unanswerable questions and those of
// type whole_document, needs_information or not_a_document_question count in
// retrieval metrics only if they have passages. A search that fails counts as
// an empty list.
//
// # What the corpus has outgrown
//
// With a Library, Run looks for every source, heading and quote in the corpus, as
// the question's asker sees it on its day. What is not there is a problem of that
// line, and the question counts in Report.Outgrown; it is measured all the same.
// Report.Unreviewed counts the questions that say "reviewed": false.
//
// # Uncertainty
//
// Intervals are 95 % percentile intervals of the bootstrap over questions
// (Efron, Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13; Sakai,
// SIGIR 2006, for metrics of retrieval). Two reports are compared by
// the paired randomisation test (Fisher; Smucker, Allan, Carterette, CIKM 2007).
package evaluate
