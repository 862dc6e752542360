package local

// rowSet is a set of the rows of a window.
type rowSet [windowWords]uint64

func (s *rowSet) add(o *rowSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

// addBits adds the rows of a block that is encoded as bits and begins at row base or
// later, of a window that begins at row lo.
func (s *rowSet) addBits(rows string, base, lo uint32) {
	at := int(base/64) - int(lo/64)
	if at < 0 {
		rows, at = rows[-8*at:], 0
	}
	for ; len(rows) >= 8 && at < len(s); rows, at = rows[8:], at+1 {
		s[at] |= uint64At(rows, 0)
	}
}
