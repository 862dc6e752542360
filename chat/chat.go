// Package chat declares what Quarry asks of a model that continues a conversation.
//
// A model whose text is to be had while it is being made says so by a second interface
// beside Model: Streamer.
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

// Streamer is a Model that tells its text while it makes it. Its methods may be called
// concurrently.
type Streamer interface {
	Model
	// Stream is Complete that also tells each part of the text as it comes, all from one
	// goroutine. An error that tell returns ends the request and is returned as it is.
	// With an error the response holds the text that came before; what was told is never
	// told again, so a request of which something was told is not tried again.
	Stream(ctx context.Context, r Request, tell func(part string) error) (Response, error)
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

// Response is the model's message. Without an error its text is not empty.
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
