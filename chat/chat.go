// Package chat declares what Quarry asks of a model that continues a conversation.
//
// A model whose text is wanted while it is being made will say so by a second interface
// beside Model: what is here stays as it is.
package chat

import "context"

// Model continues a conversation. Its methods may be called concurrently.
type Model interface {
	// Name identifies the model, for records of what was made with it.
	Name() string
	// Complete gives the next message. It is asked for the likeliest one (temperature 0),
	// so that the same request gives the same answer as far as the model can.
	Complete(ctx context.Context, r Request) (Response, error)
}

// Request is a conversation to be continued.
type Request struct {
	Messages []Message // in their order; at least one
	// MaxTokens bounds the answer, in tokens of the model; 0 leaves it to the model.
	MaxTokens int
}

// Message is one turn.
type Message struct {
	Role Role
	Text string
}

// Role says whose turn a message is.
type Role string

// Roles.
const (
	System    Role = "system" // what the model is told to be and to do
	User      Role = "user"
	Assistant Role = "assistant" // the model
)

// Response is the model's message. Its text is not empty.
type Response struct {
	Text string
	// Cut says that the text ends where MaxTokens, or the model's own limit, ended it.
	Cut   bool
	Usage Usage
}

// Usage is what a request took, in tokens of the model; 0 where the service does not
// say.
type Usage struct {
	Input, Output int
}
