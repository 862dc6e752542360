package local

import "strings"

// dropped is the new number of a row that goes.
const dropped = ^uint32(0)

// mergeInverted encodes one index of several. renumbered gives the new number of
// each row of each; numbers ascend over all of them.
func mergeInverted(parts []*inverted, renumbered [][]uint32) ([]byte, error) {
	out, translate := mergeCodes(parts)
	for i, x := range parts {
		if x.weighted == nil {
			continue
		}
		out.long = true
		for row, to := range renumbered[i] {
			if to != dropped {
				out.lengths = append(out.lengths, x.lengthOf(row))
			}
		}
	}
	terms, names, size := 0, 0, 0
	for _, x := range parts {
		terms, names, size = max(terms, x.terms.n), max(names, len(x.terms.data)), size+len(x.lists.data)
	}
	out.expect(terms, names, size/2)
	at := make([]int, len(parts))
	heads := make([]string, len(parts)) // the terms at hand
	for i, x := range parts {
		if x.terms.n > 0 {
			heads[i] = x.terms.at(0)
		}
	}
	var c cursor
	var have []int // the parts that have the least term, in their order
	for {
		term := ""
		have = have[:0]
		for i, x := range parts {
			if at[i] == x.terms.n {
				continue
			}
			switch order := strings.Compare(heads[i], term); {
			case len(have) == 0 || order < 0:
				term, have = heads[i], append(have[:0], i)
			case order == 0:
				have = append(have, i)
			}
		}
		if len(have) == 0 {
			return out.encode(), nil
		}
		out.begin()
		for _, i := range have {
			x := parts[i]
			c.open(x, at[i])
			if err := c.all(func(p posting) {
				if row := renumbered[i][p.row]; row != dropped {
					out.add(row, translate[i][p.code])
				}
			}); err != nil {
				return nil, err
			}
			if at[i]++; at[i] < x.terms.n {
				heads[i] = x.terms.at(at[i])
			}
		}
		finish(&out, term)
	}
}

// mergeCodes numbers the codes of all parts anew, in about the order of their
// frequency, and tells for each part what number a code has now.
func mergeCodes(parts []*inverted) (out listing, translate [][]uint32) {
	number := map[code]uint32{}
	longest := 0
	for _, x := range parts {
		translate = append(translate, make([]uint32, len(x.codes)))
		longest = max(longest, len(x.codes))
	}
	for rank := range longest {
		for i, x := range parts {
			if rank >= len(x.codes) {
				continue
			}
			n, ok := number[x.codes[rank]]
			if !ok {
				n = uint32(len(out.codes))
				number[x.codes[rank]] = n
				out.codes = append(out.codes, x.codes[rank])
			}
			translate[i][rank] = n
		}
	}
	return out, translate
}
