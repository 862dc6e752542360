package config

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seed-d3156d19/quarry"
)

// mostPrices bounds a table.
const mostPrices = 1000

// prices is a table: of each model what its input and its output cost.
func prices(name, doc string, at func(*Settings) *map[string]quarry.Price) key {
	return key{name: name, doc: doc, want: "a mapping from models' names to {input: NUMBER, output: NUMBER}", table: true,
		set: func(s *Settings, n *yaml.Node) bool {
			table := map[string]quarry.Price{}
			fits := len(n.Content) <= 2*mostPrices && pairs(n, func(model, n *yaml.Node) bool {
				var p quarry.Price
				_, twice := table[model.Value]
				fits := !twice && model.Value != "" && pairs(n, func(side, n *yaml.Node) bool {
					to, ok := map[string]*float64{"input": &p.Input, "output": &p.Output}[side.Value]
					if !ok {
						return false
					}
					*to, ok = float(n)
					return ok
				})
				table[model.Value] = p
				return fits
			})
			*at(s) = table
			return fits
		},
		get: func(s *Settings) string {
			var b strings.Builder
			for i, model := range slices.Sorted(maps.Keys(*at(s))) {
				if i > 0 {
					b.WriteString(", ")
				}
				p := (*at(s))[model]
				b.WriteString(strconv.Quote(model) + ": {input: " + format(p.Input) + ", output: " + format(p.Output) + "}")
			}
			return "{" + b.String() + "}"
		}}
}

// pairs calls each with the keys and values of a mapping until one is false.
func pairs(n *yaml.Node, each func(key, value *yaml.Node) bool) bool {
	if n.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Kind != yaml.ScalarNode || !each(n.Content[i], n.Content[i+1]) {
			return false
		}
	}
	return true
}
