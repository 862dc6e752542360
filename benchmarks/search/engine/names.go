package engine

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"strconv"

	"github.com/seed-d3156d19/quarry/benchmarks/search/corpus"
	"github.com/seed-d3156d19/quarry/document"
)

func passageNumber(d corpus.Document, i int) int { return d.Number*corpus.PassagesPerDocument + i }

func documentPath(number int) string { return "document" + strconv.Itoa(number) + ".txt" }

// names gives a passage an id and a content key that look like hashes and are of the
// same length, and from which number reads the passage's number again.
func names(number int, version uint64) (document.PassageID, document.ContentKey) {
	x := uint64(number)<<8 | version
	b := binary.BigEndian.AppendUint64(nil, scramble(x))
	id := hex.EncodeToString(binary.BigEndian.AppendUint64(b, scramble(x+1<<63)))
	key := hex.EncodeToString(binary.BigEndian.AppendUint64(b, scramble(x+1<<62)))
	return document.PassageID(id), document.ContentKey(key)
}

func number(id document.PassageID) (int, error) {
	b, err := hex.DecodeString(string(id))
	if err != nil || len(b) != 16 {
		return 0, fmt.Errorf("%q is the id of no made passage", id)
	}
	return int(unscramble(binary.BigEndian.Uint64(b)) >> 8), nil
}

// scramble multiplies by an odd number, which unscramble's inverts modulo 2^64.
func scramble(x uint64) uint64   { return bits.ReverseBytes64(x * 0x9E3779B97F4A7C15) }
func unscramble(x uint64) uint64 { return bits.ReverseBytes64(x) * 0xF1DE83E19937733D }
