package local

import (
	"bytes"
	"database/sql"
	"testing"
)

// What owned takes stays what it is while later rows are read and when all is closed, and
// writing to it changes nothing in the file.
func TestOwned(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	const size = 100_000
	for _, query := range []string{"CREATE TABLE x (b BLOB)", "INSERT INTO x VALUES (zeroblob(100000)), (zeroblob(100000)), (zeroblob(100000))"} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	read := func() (all []owned) {
		rows, err := db.Query("SELECT b FROM x")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var o owned
			if err := rows.Scan(&o); err != nil {
				t.Fatal(err)
			}
			for i := range o {
				o[i] += byte(len(all) + 1)
			}
			all = append(all, o)
		}
		return all
	}
	for range 2 {
		all := read()
		if len(all) != 3 {
			t.Fatalf("%d rows", len(all))
		}
		for i, o := range all {
			if !bytes.Equal(o, bytes.Repeat([]byte{byte(i + 1)}, size)) {
				t.Errorf("the bytes of row %d have changed", i)
			}
		}
	}
	var o owned
	if err := db.QueryRow("SELECT 'text'").Scan(&o); err == nil {
		t.Error("a text is taken for bytes")
	}
}
