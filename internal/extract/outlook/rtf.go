package outlook

import "encoding/binary"

// dictionary is what the window holds at first ([MS-OXRTFCP] 2.1.2.1).
const dictionary = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}` +
	`{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
	"\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

const (
	rtfHeader    = 16
	windowSize   = 4096
	compressed   = 0x75465A4C // "LZFu"
	uncompressed = 0x414C454D // "MELA"
	maxRTF       = 32 << 20
)

// inflateRTF unpacks the text of a message ([MS-OXRTFCP] 2.2 and 3.1.4): a window of
// 4 KB, a byte of flags before eight pieces, each a byte as it stands or a reference
// into the window of 12 bits place and 4 bits length. nil if it is none.
func inflateRTF(b []byte) []byte {
	if len(b) < rtfHeader {
		return nil
	}
	size := int(binary.LittleEndian.Uint32(b[4:]))
	kind := binary.LittleEndian.Uint32(b[8:])
	b = b[rtfHeader:]
	if kind == uncompressed {
		return b[:min(size, len(b))]
	}
	if kind != compressed || size > maxRTF {
		return nil
	}
	var window [windowSize]byte
	at := copy(window[:], dictionary)
	out := make([]byte, 0, min(size, 8*len(b)))
	put := func(c byte) {
		out = append(out, c)
		window[at] = c
		at = (at + 1) % windowSize
	}
	for len(b) > 0 {
		flags := b[0]
		b = b[1:]
		for i := 0; i < 8 && len(b) > 0; i++ {
			if flags>>i&1 == 0 {
				put(b[0])
				b = b[1:]
				continue
			}
			if len(b) < 2 {
				return out
			}
			reference := int(b[0])<<8 | int(b[1])
			b = b[2:]
			from, length := reference>>4, reference&15+2
			if from == at { // the end
				return out
			}
			for j := range length {
				put(window[(from+j)%windowSize])
			}
			if len(out) > maxRTF {
				return nil
			}
		}
	}
	return out
}
