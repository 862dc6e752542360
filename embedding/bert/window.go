package bert

import "github.com/seed-d3156d19/quarry/internal/wordpiece"

// framed makes a model's input of a text's tokens: [CLS] prefix tokens [SEP], at
// most window of them.
type framed struct {
	prefix []int32
	window int
}

// room is how many tokens of a text fit.
func (f framed) room() int { return f.window - 2 - len(f.prefix) }

func (f framed) frame(v *wordpiece.Vocabulary, ids []int32) []int32 {
	out := make([]int32, 0, len(f.prefix)+len(ids)+2)
	out = append(append(out, v.Cls()), f.prefix...)
	return append(append(out, ids...), v.Sep())
}

// cut frames as much as fits.
func (f framed) cut(v *wordpiece.Vocabulary, ids []int32) []int32 {
	return f.frame(v, ids[:min(len(ids), f.room())])
}

// windows frames all: where it does not fit, in the fewest windows that overlap by
// at least overlap tokens and are as long as each other.
func (f framed) windows(v *wordpiece.Vocabulary, ids []int32, overlap int) [][]int32 {
	n, room := len(ids), f.room()
	if n <= room {
		return [][]int32{f.frame(v, ids)}
	}
	count := (n - overlap + room - overlap - 1) / (room - overlap)
	size := (n + (count-1)*overlap + count - 1) / count
	out := make([][]int32, count)
	for i := range out {
		from := i * (n - size) / (count - 1)
		out[i] = f.frame(v, ids[from:from+size])
	}
	return out
}
