package claims

import (
	"strings"
	"unicode"
)

// units are the words and signs of a unit, by its canonical name.
var units = func() map[string]string {
	m := map[string]string{}
	for _, line := range []string{
		"percent % pct per-cent prozent", "permille ‰", "pp percentage-points percentage-point",
		"usd $ us$ dollar dollars usd", "eur € euro euros eur", "gbp £ pound-sterling gbp sterling", "jpy ¥ yen jpy", "chf chf franken", "nok nok kroner", "sek sek kronor", "dkk dkk",
		"inr ₹ rupee rupees inr rs", "cny yuan renminbi cny rmb", "cent cent cents ¢", "cad cad c$", "aud aud a$", "pence pence",
		"second second seconds sec secs s", "minute minute minutes min mins", "hour hour hours hr hrs h", "day day days tag tage tagen", "week week weeks woche wochen",
		"month month months monat monate monaten", "quarter quarter quarters", "year year years yr yrs jahr jahre jahren", "decade decade decades", "century century centuries",
		"millisecond millisecond milliseconds ms",
		"mm millimetre millimetres millimeter millimeters", "cm centimetre centimetres centimeter centimeters cm", "m metre metres meter meters m", "km kilometre kilometres kilometer kilometers km kms",
		"inch inch inches in.", "ft foot feet ft", "yd yard yards yd", "mile mile miles mi", "acre acre acres", "hectare hectare hectares ha",
		"mg milligram milligrams mg", "g gram grams gramme grammes g", "kg kilogram kilograms kg kilo kilos", "tonne tonne tonnes ton tons", "lb lb lbs pound pounds", "oz ounce ounces oz",
		"ml millilitre millilitres milliliter milliliters ml", "l litre litres liter liters l", "gallon gallon gallons", "barrel barrel barrels",
		"celsius °c celsius", "fahrenheit °f fahrenheit", "degree ° degree degrees", "kelvin kelvin",
		"byte byte bytes b", "kb kilobyte kilobytes kb", "mb megabyte megabytes mb mib", "gb gigabyte gigabytes gb gib", "tb terabyte terabytes tb tib", "bit bit bits",
		"w watt watts w", "kw kilowatt kilowatts kw", "mw megawatt megawatts mw", "kwh kwh kilowatt-hours", "v volt volts v", "hz hz hertz", "khz khz", "mhz mhz", "ghz ghz",
		"kmh km/h kph", "mph mph", "basis-point basis-points bps",
	} {
		fields := strings.Fields(line)
		for _, name := range fields[1:] {
			m[name] = fields[0]
		}
	}
	return m
}()

// unitOf finds the unit of the number that stands in words [i, end), with what is glued to it: a
// sign or word behind it, or a currency before. to is where it ends.
func (r *reading) unitOf(i, end int, suffix string) (unit string, to int) {
	to = r.words[end-1].to
	if suffix != "" {
		return units[strings.ToLower(suffix)], to
	}
	after := r.text[to:]
	space := len(after) - len(strings.TrimLeft(after, " \u00a0"))
	if space <= 2 {
		for _, sign := range []string{"%", "‰", "€", "£", "¥", "₹", "¢", "°C", "°F", "°", "$"} {
			if strings.HasPrefix(after[space:], sign) && (space == 0 || sign != "$" && sign != "£" && sign != "€") {
				return units[strings.ToLower(sign)], to + space + len(sign)
			}
		}
	}
	before := strings.TrimRight(r.text[:r.words[i].from], " \u00a0(-−")
	for _, sign := range []string{"€", "£", "¥", "₹", "$"} {
		if strings.HasSuffix(before, sign) {
			return units[sign], to
		}
	}
	if i > 0 && strings.TrimSpace(r.gap(i)) == "" {
		if u := units[r.words[i-1].folded]; isCurrency[u] && strings.ToUpper(r.words[i-1].raw) == r.words[i-1].raw {
			return u, to
		}
	}
	if end < len(r.words) && isJoint(r.gap(end)) {
		w := r.words[end]
		if end+1 < len(r.words) && isJoint(r.gap(end+1)) {
			two := w.folded + "-" + r.words[end+1].folded
			if u := units[two]; u != "" {
				return u, r.words[end+1].to
			}
		}
		if u := units[w.folded]; u != "" && (len(w.raw) > 1 || w.raw != strings.ToUpper(w.raw) || !unicode.IsLetter(rune(w.raw[0]))) {
			return u, w.to
		}
		// "5 business days", "10 US dollars"
		if end+1 < len(r.words) && isJoint(r.gap(end+1)) && adjectives[w.folded] {
			if u := units[r.words[end+1].folded]; u != "" {
				return u, r.words[end+1].to
			}
		}
	}
	return "", to
}

var isCurrency = words("usd eur gbp jpy chf nok sek dkk inr cny cad aud")

var adjectives = words("business calendar working full consecutive us american canadian australian square cubic nautical metric school light")
