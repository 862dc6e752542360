package local

import (
	"container/heap"
	"slices"
)

// top keeps the best k of what it is offered. It holds no more than was offered,
// so a k of any size costs nothing.
type top[T any] struct {
	k     int
	worse func(a, b T) bool
	kept  []T // a heap, the worst first, once it is full
}

func (t *top[T]) offer(x T) {
	switch {
	case t.k <= 0:
	case len(t.kept) < t.k:
		heap.Push(t, x)
	case t.worse(t.kept[0], x):
		t.kept[0] = x
		heap.Fix(t, 0)
	}
}

// best returns what was kept, the best first.
func (t *top[T]) best() []T {
	slices.SortFunc(t.kept, func(a, b T) int {
		switch {
		case t.worse(b, a):
			return -1
		case t.worse(a, b):
			return 1
		}
		return 0
	})
	return t.kept
}

// The methods of heap.Interface.

func (t *top[T]) Len() int           { return len(t.kept) }
func (t *top[T]) Less(i, j int) bool { return t.worse(t.kept[i], t.kept[j]) }
func (t *top[T]) Swap(i, j int)      { t.kept[i], t.kept[j] = t.kept[j], t.kept[i] }
func (t *top[T]) Push(x any)         { t.kept = append(t.kept, x.(T)) }
func (t *top[T]) Pop() any {
	x := t.kept[len(t.kept)-1]
	t.kept = t.kept[:len(t.kept)-1]
	return x
}
