package extract

// asciiLetter is the cheapest sign of a word of the Latin script.
func asciiLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// scoreWindows1252 expects what Western European text has: single accented
// letters among plain ones, and typographic marks.
func scoreWindows1252(b []byte) float64 {
	var t tally
	for i, c := range b {
		if c < 0x80 {
			continue
		}
		before := i > 0 && asciiLetter(b[i-1])
		after := i+1 < len(b) && asciiLetter(b[i+1])
		run := i > 0 && b[i-1] >= 0x80 && i+1 < len(b) && b[i+1] >= 0x80
		switch {
		case c == 0x81 || c == 0x8d || c == 0x8f || c == 0x90 || c == 0x9d:
			t.add(-3)
		case run:
			t.add(0)
		case c >= 0xc0 && c != 0xd7 && c != 0xf7, c == 0x8a, c == 0x9a, c == 0x8e, c == 0x9e, c == 0x8c, c == 0x9c:
			switch {
			case c >= 0xdf && before || after:
				t.add(1)
			case before:
				t.add(0.6)
			default:
				t.add(0.5)
			}
		case c >= 0x91 && c <= 0x97, c == 0x85, c == 0x84, c == 0x82, c == 0x80, c == 0xa0,
			c == 0xa7, c == 0xb0, c == 0xa3, c == 0xa9, c == 0xae, c == 0xab, c == 0xbb, c == 0xb7, c == 0xbf, c == 0xa1, c == 0xb5, c == 0xb1, c == 0xb2, c == 0xb3, c == 0xbd, c == 0xd7:
			t.add(0.8)
		default:
			t.add(0.2)
		}
	}
	return t.mean()
}

// cyrillic scores words of letters whose case changes only after the first.
func cyrillic(b []byte, lower, upper func(byte) bool) float64 {
	var t tally
	for i, c := range b {
		if c < 0x80 {
			continue
		}
		inside := i > 0 && lower(b[i-1])
		latin := i > 0 && asciiLetter(b[i-1]) || i+1 < len(b) && asciiLetter(b[i+1])
		switch {
		case latin:
			t.add(-0.5)
		case lower(c):
			t.add(1)
		case upper(c) && !inside:
			t.add(0.6)
		case upper(c):
			t.add(-0.5)
		default:
			t.add(0.2)
		}
	}
	return t.mean()
}

func scoreWindows1251(b []byte) float64 {
	return cyrillic(b,
		func(c byte) bool { return c >= 0xe0 || c == 0xb8 },
		func(c byte) bool { return c >= 0xc0 && c < 0xe0 || c == 0xa8 })
}

func scoreKOI8R(b []byte) float64 {
	return cyrillic(b,
		func(c byte) bool { return c >= 0xc0 && c < 0xe0 || c == 0xa3 },
		func(c byte) bool { return c >= 0xe0 || c == 0xb3 })
}
