package claims

import "github.com/seed-d3156d19/quarry/internal/lazyregexp"

// mark is a document's own reference, which must not pass for a citation: numbers of
// any script in anything that looks like square brackets.
var mark = lazyregexp.New(`\\?[\[［【〔〚⟦❲⁅⦋⦍⦏⟬﹝]([\s\p{Cf}\p{N},;:&+/~\p{Pd}−.،，、]*\p{N}(?:[\s\p{Cf}\p{N},;:&+/~\p{Pd}−.،，、]|and|to)*)\\?[\]］】〕〛⟧❳⁆⦌⦎⦐⟭﹞]`)

// Neutral writes a document's own marks so that they are no citations.
func Neutral(s string) string { return mark.ReplaceAllString(s, "($1)") }
