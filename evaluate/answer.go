package evaluate

// answered reports whether a status gives an answer, wholly or in part.
func answered(status string) bool {
	return status == StatusAnswered || status == StatusPartial || status == StatusConflict
}

// wantedStatus is the one status that is right for a question, or "" where
// any that answers is.
func (q Question) wantedStatus() string {
	switch {
	case q.Type == TypeNeedsInfo:
		return StatusNeedsInformation
	case q.Type == TypeNotForDocument:
		return StatusNotForDocuments
	case q.Unanswerable:
		return StatusInsufficient
	}
	return ""
}

// answerValues gives the metrics of an answer that the question has judgements
// for. status "" is an answer that failed.
func answerValues(q Question, a Answer, j judgement) map[string]float64 {
	v := map[string]float64{}
	want := q.wantedStatus()
	for status, right := range map[string]bool{
		StatusNeedsInformation: q.Type == TypeNeedsInfo,
		// A task over a whole document is none that passages answer.
		StatusNotForDocuments: q.Type == TypeNotForDocument || q.Type == TypeWholeDocument,
	} {
		if a.Status == status {
			v[status+"_precision"] = truth(right)
		}
		if status == want {
			v[status+"_recall"] = truth(a.Status == status)
		}
	}
	if want == StatusNeedsInformation || want == StatusNotForDocuments {
		v["class_accuracy"] = truth(a.Status == want)
		return v
	}
	if a.Status == StatusInsufficient {
		v["abstention_precision"] = truth(q.Unanswerable)
	}
	if q.Unanswerable {
		v["abstention_recall"] = truth(a.Status == StatusInsufficient)
		v["answered_unanswerable"] = truth(answered(a.Status))
		return v
	}
	if len(j.units) == 0 {
		return v
	}
	v["answered"] = truth(answered(a.Status))
	right, cited := 0, make([]bool, len(j.units))
	for _, c := range a.Citations {
		of := j.citedBy(c)
		if len(of) > 0 {
			right++
		}
		for _, u := range of {
			cited[u] = true
		}
	}
	n := 0
	for _, c := range cited {
		if c {
			n++
		}
	}
	v["citation_recall"] = float64(n) / float64(len(j.units))
	if len(a.Citations) > 0 {
		v["citation_precision"] = float64(right) / float64(len(a.Citations))
	}
	return v
}

// citedBy gives the units that a citation is of.
func (j judgement) citedBy(c Citation) []int {
	c.Document = cleanPath(c.Document)
	var path []heading
	for _, h := range c.Heading {
		path = append(path, parseHeading(h))
	}
	quote := compact(c.Quote)
	var list []int
	for _, u := range j.in(c.Document) {
		unit := &j.units[u]
		if j.level == passageLevel && quotes(unit.quote, quote) || j.level != passageLevel && unit.inSection(path) {
			list = append(list, u)
		}
	}
	return list
}

// quotes reports whether a citation's quote holds enough of the judged one, or is
// a part of it.
func quotes(judged, cited letters) bool {
	s := within(judged, cited)
	return float64(s.to-s.from) >= enough*float64(len(judged.text)) || cited.text != "" && holds(cited, judged)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
