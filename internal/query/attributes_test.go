package query

import (
	"fmt"
	"testing"
)

func TestNamedIn(t *testing.T) {
	values := map[string][]string{
		"region":   {"eu", "germany", "it", "new-york", "norway", "us"},
		"customer": {"Kestrel Air", "Kestrel"},
		"product":  {"Hub 2.2", "pro"},
		"company":  {"Halden Systems"}, // says nothing of where a document applies
		"country":  {"", "日本", "Österreich"},
	}
	for _, c := range []struct{ question, want string }{
		{"How long do customers in Germany wait?", "map[region:[germany]]"},
		{"what is germany's fee", "map[region:[germany]]"},
		{"Do Germanys rules hold?", "map[]"},
		{"NORWAY and the EU?", "map[region:[eu norway]]"},
		{"Does it hold for us?", "map[]"},
		{"Does IT hold for the US?", "map[region:[it us]]"},
		{"The fee in New York, and in new-york?", "map[region:[new-york]]"},
		{"A new fee for York?", "map[]"},
		{"What did Kestrel Air agree to?", "map[customer:[Kestrel Air Kestrel]]"},
		{"What did Kestrels agree to?", "map[]"},
		{"Is the limit of the hub 2.2 higher?", "map[product:[Hub 2.2]]"},
		{"Is the limit of the hub 2.21 higher?", "map[]"},
		{"What does Halden Systems pay?", "map[]"},
		{"Was gilt in österreich?", "map[country:[Österreich]]"},
		{"How does leave differ between Norway and Toronto?", "map[]"},
		{"Is the fee in Germany different from elsewhere?", "map[]"},
		{"", "map[]"},
	} {
		if got := fmt.Sprint(NamedIn(c.question, values)); got != c.want {
			t.Errorf("%q names %s, want %s", c.question, got, c.want)
		}
	}
}
