package office

import (
	"cmp"
	"slices"
)

// Box is a rectangle on a slide, in units of its format.
type Box struct{ Left, Top, Right, Bottom int }

// maxCuts bounds how often shapes are cut again.
const maxCuts = 10

// Ordered puts shapes in the order in which they are read, by recursive cuts (G.
// Nagy and S. Seth, Hierarchical representation of optically scanned documents,
// 1984): bands from the top, columns within a band from the left, and so on. Where
// shapes overlap, the order is that of their upper left corners.
func Ordered[T any](shapes []T, box func(T) Box) []T {
	var out []T
	var split func(shapes []T, down, stuck bool, left int)
	split = func(shapes []T, down, stuck bool, left int) {
		parts := cut(shapes, down, box)
		switch {
		case len(shapes) <= 1:
			out = append(out, shapes...)
		case len(parts) > 1 && left > 0:
			for _, p := range parts {
				split(p, !down, false, left-1)
			}
		case !stuck && left > 0:
			split(shapes, !down, true, left-1)
		default:
			slices.SortStableFunc(shapes, func(a, b T) int {
				return cmp.Or(cmp.Compare(box(a).Top, box(b).Top), cmp.Compare(box(a).Left, box(b).Left))
			})
			out = append(out, shapes...)
		}
	}
	split(slices.Clone(shapes), true, false, maxCuts)
	return out
}

// cut divides shapes where nothing stands between.
func cut[T any](shapes []T, down bool, box func(T) Box) [][]T {
	if len(shapes) == 0 {
		return nil
	}
	ends := func(s T) (int, int) {
		if down {
			return box(s).Top, box(s).Bottom
		}
		return box(s).Left, box(s).Right
	}
	slices.SortStableFunc(shapes, func(a, b T) int {
		x, _ := ends(a)
		y, _ := ends(b)
		return cmp.Compare(x, y)
	})
	var parts [][]T
	from := 0
	_, reached := ends(shapes[0])
	for i, s := range shapes {
		start, end := ends(s)
		if i > 0 && start >= reached {
			parts = append(parts, shapes[from:i])
			from = i
		}
		reached = max(reached, end)
	}
	return append(parts, shapes[from:])
}
