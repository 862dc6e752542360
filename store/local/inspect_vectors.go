package local

import "database/sql"

// vectors reads every vector, and compares the codes in the blocks with them.
func (i *inspection) vectors() error {
	models, err := i.conn.models(i.ctx)
	if err = i.found("the list of models", false, err); err != nil {
		return err
	}
	for row, m := range models {
		what := "vectors of model " + m.Name
		if !i.sealed {
			if err := i.found(what, false, i.conn.checkOld(i.ctx, row, m)); err != nil {
				return err
			}
			continue
		}
		var id int64
		var floats sql.RawBytes
		var broken error // the first
		err := i.conn.each(i.ctx, "SELECT id, floats FROM vector NOT INDEXED WHERE model = ? ORDER BY id", []any{row}, []any{&id, &floats}, func() error {
			if _, err := decodeFloats(floats, m.Dims); err == nil {
				i.embedded = append(i.embedded, id)
			} else if broken == nil {
				broken = err
			}
			return nil
		})
		if err == nil {
			err = broken
		}
		if err == nil {
			err = (&vectorWriter{conn: i.conn, ctx: i.ctx, model: row, dims: m.Dims}).checkCodes()
		}
		if err := i.found(what, false, err); err != nil {
			return err
		}
	}
	return nil
}
