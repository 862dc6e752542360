package local

import "fmt"

// owned takes the bytes of a column as they come, without the copy that database/sql makes
// of them: the driver makes those of each row anew and keeps none (TestOwned).
type owned []byte

// Scan implements sql.Scanner.
func (o *owned) Scan(src any) error {
	b, ok := src.([]byte)
	if !ok {
		return fmt.Errorf("a column holds %T and no bytes", src)
	}
	*o = b
	return nil
}
