package openai

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-d3156d19/quarry/internal/service"
)

// request is the body of a request.
type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

// send gets the vectors of texts, nil for one whose vector is of no use; see
// service.Client.Send for how long it is tried and which errors there are.
func (c *Client) send(ctx, waiting context.Context, texts []string, until time.Time) ([][]float32, error) {
	o := c.options
	body := request{Model: o.Model, Input: texts}
	if o.Shorten == ByService {
		body.Dimensions = o.Dimensions
	}
	var vectors [][]float32
	err := c.service.Send(ctx, waiting, service.Call{Body: body, Texts: texts, Limit: answerLimit(len(texts)), Read: func(body []byte) (err error) {
		vectors, err = decode(body, len(texts), o.Dimensions, o.Shorten == ByClient)
		return misread(err)
	}}, until)
	if err != nil {
		return nil, err
	}
	for _, v := range vectors {
		if v != nil {
			c.worked.Store(true)
		}
	}
	return vectors, nil
}

// misread says what to do about vectors of another length.
func misread(err error) error {
	var length lengthError
	if !errors.As(err, &length) {
		return err
	}
	hint := fmt.Sprintf("set embedding.service.dimensions to %d", length.got)
	if length.got > length.want {
		hint += ", or embedding.service.shorten to client for a model trained to be cut"
	}
	return &service.Failure{Kind: service.Faulty, Whole: true, What: err.Error(), Hint: hint}
}
