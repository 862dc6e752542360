package docx

import (
	"strings"

	"github.com/seed-d3156d19/quarry/internal/extract/office"
)

// math writes a formula (ECMA-376 part 1, clause 22.1) on one line, as one types
// it: (a+b)/c, x^2, √(y).
func math(e *office.Element) string {
	if e == nil {
		return ""
	}
	part := func(name string) string { return math(e.Child(name)) }
	switch e.Name {
	case "m:t":
		return e.String()
	case "m:f":
		if e.Child("m:fPr", "m:type").Attr("m:val") == "noBar" { // a binomial coefficient
			return part("m:num") + " over " + part("m:den")
		}
		return group(part("m:num")) + "/" + group(part("m:den"))
	case "m:sSup":
		return group(part("m:e")) + "^" + group(part("m:sup"))
	case "m:sSub":
		return part("m:e") + "_" + group(part("m:sub"))
	case "m:sSubSup":
		return part("m:e") + "_" + group(part("m:sub")) + "^" + group(part("m:sup"))
	case "m:rad":
		return group(part("m:deg")) + "√(" + part("m:e") + ")"
	case "m:nary":
		sign := e.Child("m:naryPr", "m:chr").Attr("m:val")
		if sign == "" {
			sign = "∫"
		}
		if sub := part("m:sub"); sub != "" {
			sign += "_" + group(sub)
		}
		if sup := part("m:sup"); sup != "" {
			sign += "^" + group(sup)
		}
		return sign + " " + part("m:e")
	case "m:d":
		return delimited(e)
	case "m:func":
		return part("m:fName") + " " + part("m:e")
	case "m:limLow":
		return part("m:e") + "_" + group(part("m:lim"))
	case "m:mr":
		return joined(e, "m:e", ", ")
	case "m:m":
		return "[" + joined(e, "m:mr", "; ") + "]"
	}
	var b strings.Builder
	for _, c := range e.Children {
		if strings.HasPrefix(c.Name, "m:") && !strings.HasSuffix(c.Name, "Pr") {
			b.WriteString(math(c))
		}
	}
	return b.String()
}

// delimited is what stands in brackets, which m:dPr names where they are not round.
func delimited(e *office.Element) string {
	mark := func(name, absent string) string {
		if v, ok := e.Child("m:dPr", name).Lookup("m:val"); ok {
			return v
		}
		return absent
	}
	return mark("m:begChr", "(") + joined(e, "m:e", mark("m:sepChr", "|")) + mark("m:endChr", ")")
}

func joined(e *office.Element, name, sep string) string {
	var parts []string
	for _, c := range e.All(name) {
		parts = append(parts, math(c))
	}
	return strings.Join(parts, sep)
}

// group sets a part of several signs in brackets.
func group(s string) string {
	if s = strings.TrimSpace(s); strings.ContainsAny(s, "+-−*/=<>≤≥^_ ,;√") && !strings.HasPrefix(s, "(") {
		return "(" + s + ")"
	}
	return s
}
