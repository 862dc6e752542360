package sentence

import "strings"

// abbreviationKind says when a full stop after an abbreviation ends a sentence
// all the same.
type abbreviationKind byte

const (
	// beforeName never ends one: "Dr. Smith", "e.g. this".
	beforeName abbreviationKind = iota + 1
	// beforeNumber does unless a number follows: "No. 5", but "I said no. We".
	beforeNumber
	// beforeStarter does if the next word is one that begins sentences: "Acme
	// Inc. The supplier", but "Acme Inc. Limited".
	beforeStarter
)

var abbreviations = func() map[string]abbreviationKind {
	m := map[string]abbreviationKind{}
	for kind, words := range map[abbreviationKind]string{
		beforeName: `mr mrs ms dr prof rev hon messrs mme mlle gen col capt cpt lt sgt maj gov sen
			st mt ft e.g i.e eg ie viz cf vs approx ca c.f incl excl resp esp
			z.b d.h u.a i.d.r bzw ggf evtl inkl exkl vgl hr fr dipl ing bspw sog z d
			p.ex m.e.r sr sra`,
		beforeNumber: `no nos nr num art arts sec secs sect fig figs eq eqs ch chap vol vols p pp
			para paras cl cls ann app ref refs tab ver rev v ed edn ext tel pos ziff abs rn bd
			jan feb mar apr jun jul aug sep sept oct nov dec n.º núm`,
		beforeStarter: `inc ltd co corp plc llc bros jr etc al dept univ assn assoc ave blvd rd
			a.m p.m ph.d b.c a.d u.s u.k e.u est min max avg temp usw std ges gmbh`,
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = kind
		}
	}
	return m
}()

// starters begin sentences far more often than they continue names.
var starters = set(`A An The This That These Those It Its He She They We You I There Here
	If When Where While Although Because Since After Before Once Until Unless Except
	However Therefore Thus Hence Moreover Furthermore Otherwise Also But And Or So Yet
	In On At For From With Without By To As Under Upon During No Not All Any Each Every
	Both Either Neither Some Such Other Another Most Many Please See Note What Which Who
	How Why Do Does Is Are Our Their His Her My Your
	Der Die Das Ein Eine Es Er Sie Wir Ich Wenn Im Am Für Bei Nach Le La Les Un Une El Los`)

// months follow a day's number with its full stop in German and its neighbours.
var months = set(`Januar Jänner Februar März April Mai Juni Juli August September Oktober
	November Dezember januar februar mars april mai juni juli august september oktober
	november desember Jan Feb Apr Jun Jul Aug Sep Sept Okt Nov Dez`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
