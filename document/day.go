package document

import (
	"fmt"
	"strings"
	"time"
)

// Day is a day in UTC, counted from 0001-01-01 (day 1). The zero Day is "not
// given".
type Day int32

// Bounds of Interval when a side is open.
const (
	DayMin Day = 1
	DayMax Day = 3652059 // 9999-12-31
)

var dayZero = time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC)

// DayOf is the day of t in UTC.
func DayOf(t time.Time) Day {
	u := t.UTC()
	d := time.Date(u.Year(), u.Month(), u.Day(), 0, 0, 0, 0, time.UTC)
	return Day((d.Unix() - dayZero.Unix()) / 86400)
}

// ParseDay reads YYYY-MM-DD, YYYY-MM (the month's first day) or YYYY (the year's).
func ParseDay(s string) (Day, error) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			if d := DayOf(t); d >= DayMin && d <= DayMax {
				return d, nil
			}
		}
	}
	return 0, fmt.Errorf("%q is not a date: write YYYY-MM-DD", s)
}

// Time is the first instant of the day in UTC.
func (d Day) Time() time.Time { return dayZero.AddDate(0, 0, int(d)) }

// String gives YYYY-MM-DD, and "" for the zero Day.
func (d Day) String() string {
	if d == 0 {
		return ""
	}
	return d.Time().Format("2006-01-02")
}

// Interval is a half-open range of days, [From, To). A zero side is open.
type Interval struct {
	From Day
	To   Day
}

// Holds reports whether d lies in the interval.
func (i Interval) Holds(d Day) bool {
	return (i.From == 0 || i.From <= d) && (i.To == 0 || d < i.To)
}
