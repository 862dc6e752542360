package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Decode reads the JSON of an answer. JSON that breaks off is ErrCut, so that the call is
// tried again; of anything else it is said that it is not the JSON of what.
func Decode(body []byte, into any, what string) error {
	err := json.Unmarshal(body, into)
	if err == nil {
		return nil
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset >= int64(len(body)) {
		return ErrCut
	}
	return fmt.Errorf("gave an answer that is not the JSON of %s", what)
}

// NoText is the error of an answer of a model that writes, nil where it has text. refused says that
// the model would not answer, cut that its tokens ran out: one that reasons spends some before
// its first word.
func NoText(text string, refused, cut bool) error {
	switch {
	case strings.TrimSpace(text) != "":
		return nil
	case refused:
		return &Failure{Kind: Refused, What: "refuses to answer this request"}
	case cut:
		return &Failure{Kind: Refused, What: "used up the tokens it may before its first word", Hint: "allow it more tokens"}
	}
	return errors.New("gave an answer without text")
}
