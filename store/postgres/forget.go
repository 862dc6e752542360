package postgres

import "encoding/json"

// forgetRevisions takes from revisions all but that they were there, and when.
func (a *applier) forgetRevisions() error {
	if len(a.forget) == 0 {
		return nil
	}
	var docs, revisions []int64
	for _, f := range a.forget {
		a.touched[f.row] = true
		docs = append(docs, f.row)
		for _, r := range f.revisions {
			revisions = append(revisions, r.revision)
			r.metadata.Forgotten = true
			if err := a.putMetadata(r); err != nil {
				return err
			}
		}
	}
	for _, statement := range []string{
		"UPDATE revision SET passages = 0, lengths = '{0,0,0}', headings = 0, outlines = '{0,0,0}' WHERE id = ANY($1)",
		"UPDATE content SET text = '', pages = '{}', lines = '{}' WHERE revision = ANY($1)",
		"DELETE FROM occurrence WHERE revision = ANY($1)",
		"DELETE FROM finding WHERE revision = ANY($1)",
		"DELETE FROM name WHERE revision = ANY($1)",
		`UPDATE section SET heading = '', number = '', path = NULL, span_from = 0, span_to = 0, body_from = 0, body_to = 0, description = '',
			terms = '\x00000000000000' WHERE revision = ANY($1) AND n = 0`,
	} {
		if err := a.do(statement, revisions); err != nil {
			return err
		}
	}
	if err := a.lose("", "section WHERE revision = ANY($1) AND n > 0", revisions); err != nil {
		return err
	}
	// What no revision holds any more that is kept.
	if err := a.lose(`passage p WHERE document = ANY($1) AND NOT EXISTS (SELECT FROM revision r
		WHERE r.document = p.document AND p.first <= r.id AND r.id < p.gone AND NOT r.forgotten)`, "", docs); err != nil {
		return err
	}
	return a.dropLost()
}

// putMetadata writes a revision's metadata as it is now.
func (a *applier) putMetadata(r past) error {
	raw, err := json.Marshal(r.metadata)
	if err != nil {
		return err
	}
	m := r.metadata
	return a.do("UPDATE revision SET effective_from = $2, effective_to = $3, undecided = $4, forgotten = $5, metadata = $6, inferred = $7 WHERE id = $1",
		r.revision, m.Effective.From, m.Effective.To, m.Undecided, m.Forgotten, raw, clean(m.Inferred))
}
