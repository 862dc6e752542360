package local

import (
	"encoding/json"

	"github.com/seed-d3156d19/quarry/document"
	"github.com/seed-d3156d19/quarry/store/internal/rules"
)

// standing is what decides on which days a revision may be in force. The file and the
// index in memory both ask rules.InForce.
type standing = rules.Standing

func classKey(a document.Access) string {
	key, _ := json.Marshal(a)
	return string(key)
}
