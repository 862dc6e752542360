package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/seed-d3156d19/quarry/chat"
	"github.com/seed-d3156d19/quarry/internal/service"
)

// answerLimit bounds the bytes of an answer: more than models write at once.
const answerLimit = 4 << 20

// completion is the body of a good answer.
type completion struct {
	Choices []struct {
		Message struct {
			Content *string `json:"content"`
			Refusal string  `json:"refusal"`
		} `json:"message"`
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage usage           `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// usage is what a request took, in tokens.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
}

// decode reads an answer.
func decode(body []byte) (chat.Response, error) {
	var c completion
	if err := service.Decode(body, &c, "a completion"); err != nil {
		return chat.Response{}, err
	}
	if len(c.Choices) == 0 {
		if len(c.Error) > 0 && !bytes.Equal(c.Error, []byte("null")) {
			return chat.Response{}, service.SaidError{Body: body}
		}
		return chat.Response{}, errors.New("gave an answer without a choice")
	}
	first := c.Choices[0]
	r := chat.Response{Cut: first.FinishReason == "length", Usage: chat.Usage{Input: max(0, c.Usage.Prompt), Output: max(0, c.Usage.Completion)}}
	if first.Message.Content != nil {
		r.Text = strings.ToValidUTF8(*first.Message.Content, "\uFFFD")
	}
	return r, service.NoText(r.Text, first.FinishReason == "content_filter" || first.Message.Refusal != "", r.Cut)
}
