package main

import (
	"context"
	"sync"

	"github.com/seed-d3156d19/quarry/embedding"
)

// memory embeds a text once, however many lines and views of a set ask for it.
type memory struct {
	embedding.Embedder
	mu        sync.Mutex
	passages  map[string][][]float32
	questions map[string][]float32
}

func remembering(e embedding.Embedder) *memory {
	return &memory{Embedder: e, passages: map[string][][]float32{}, questions: map[string][]float32{}}
}

// Passages implements embedding.Embedder. What is given is not to be changed.
func (m *memory) Passages(ctx context.Context, texts []string) ([][][]float32, error) {
	out := make([][][]float32, len(texts))
	var left []string
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, text := range texts {
		if _, known := m.passages[text]; !known {
			m.passages[text] = nil
			left = append(left, text)
		}
	}
	if len(left) > 0 {
		made, err := m.Embedder.Passages(ctx, left)
		for i, text := range left {
			if err != nil {
				delete(m.passages, text)
				continue
			}
			m.passages[text] = made[i]
		}
		if err != nil {
			return nil, err
		}
	}
	for i, text := range texts {
		out[i] = m.passages[text]
	}
	return out, nil
}

// Question implements embedding.Embedder.
func (m *memory) Question(ctx context.Context, text string) ([]float32, error) {
	m.mu.Lock()
	v, known := m.questions[text]
	m.mu.Unlock()
	if known {
		return v, nil
	}
	v, err := m.Embedder.Question(ctx, text)
	if err == nil {
		m.mu.Lock()
		m.questions[text] = v
		m.mu.Unlock()
	}
	return v, err
}
