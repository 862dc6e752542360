package service

import (
	"net/http"
	"testing"
	"time"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

func TestAsked(t *testing.T) {
	now := testkit.NewClock().Now()
	at := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, c := range []struct {
		name   string
		header []string
		want   time.Duration
	}{
		{"nothing", nil, 0},
		{"seconds", []string{"Retry-After", "7"}, 7 * time.Second},
		{"a part of one", []string{"Retry-After", "0.25"}, 250 * time.Millisecond},
		{"a date", []string{"Retry-After", at(90 * time.Second)}, 90 * time.Second},
		{"a date by the service's clock", []string{"Retry-After", at(3 * time.Hour), "Date", at(3*time.Hour - time.Minute)}, time.Minute},
		{"a date that is past", []string{"Retry-After", at(-time.Hour)}, 0},
		{"milliseconds win", []string{"Retry-After", "2", "Retry-After-Ms", "1500"}, 1500 * time.Millisecond},
		{"no number", []string{"Retry-After", "soon"}, 0},
		{"negative", []string{"Retry-After", "-5"}, 0},
		{"NaN", []string{"Retry-After", "NaN"}, 0},
		{"huge", []string{"Retry-After", "1e300"}, 0},
		{"a limit that is used up", []string{"X-Ratelimit-Remaining-Requests", "0", "X-Ratelimit-Reset-Requests", "1m2s"}, 62 * time.Second},
		{"in seconds", []string{"X-Ratelimit-Remaining-Tokens", "0", "X-Ratelimit-Reset-Tokens", "12.5"}, 12500 * time.Millisecond},
		{"a limit that is not", []string{"X-Ratelimit-Remaining-Requests", "3", "X-Ratelimit-Reset-Requests", "1m2s"}, 0},
	} {
		h := http.Header{}
		for i := 0; i+1 < len(c.header); i += 2 {
			h.Set(c.header[i], c.header[i+1])
		}
		if got := asked(h, now); got != c.want {
			t.Errorf("%s: wait %s, want %s", c.name, got, c.want)
		}
	}
}
