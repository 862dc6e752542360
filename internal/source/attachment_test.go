package source

import (
	"strings"
	"testing"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

// attachmentsOf a message of these tests: a line "name=content" for each.
func attachmentsOf(_ string, data []byte) []Attachment {
	var out []Attachment
	for _, line := range strings.Split(string(data), "\n")[1:] {
		name, content, _ := strings.Cut(line, "=")
		out = append(out, Attachment{Path: name, Data: []byte(strings.ReplaceAll(content, "¶", "\n")), Carrier: Carrier{Title: strings.SplitN(string(data), "\n", 2)[0]}})
	}
	return out
}

// TestAttachmentsAreDocuments: below the sidecars of the message. What the sender calls
// a sidecar or hidden is neither.
func TestAttachmentsAreDocuments(t *testing.T) {
	pack := testkit.ZIP(t, map[string]string{"x.md": "x"})
	l := func(files map[string]string, attachments func(string, []byte) []Attachment) Listing {
		return list(t, tree(t, files), Options{Attachments: attachments})
	}
	for _, tt := range []struct {
		what  string
		files map[string]string
		want  []string
	}{
		{"none", map[string]string{"m.eml": "Offer"}, []string{"m.eml: Offer"}},
		{"two", map[string]string{"_meta.yaml": "outer", "m.eml.meta.yaml": "own", "m.eml": "Offer\na.md=1\n2/b.md=2"},
			[]string{"m.eml <_meta.yaml> <m.eml.meta.yaml>: Offer\na.md=1\n2/b.md=2", "m.eml!/2/b.md <_meta.yaml> <m.eml.meta.yaml> (Offer): 2", "m.eml!/a.md <_meta.yaml> <m.eml.meta.yaml> (Offer): 1"}},
		{"names of sidecars and hidden ones", map[string]string{"m.msg": "Offer\na.md=1\n_meta.yaml=x\na.md.meta.yaml=y\n.h.md=z"},
			[]string{"m.msg: Offer\na.md=1\n_meta.yaml=x\na.md.meta.yaml=y\n.h.md=z", "m.msg!/.h.md (Offer): z", "m.msg!/_meta.yaml (Offer): x", "m.msg!/a.md (Offer): 1", "m.msg!/a.md.meta.yaml (Offer): y"}},
		{"an archive and a message", map[string]string{"m.mbox": "Offer\na.zip=" + pack + "\nb.eml=Old¶c.md=3"},
			[]string{"m.mbox: Offer\na.zip=" + pack + "\nb.eml=Old¶c.md=3", "m.mbox!/a.zip!/x.md (Offer): x", "m.mbox!/b.eml (Offer): Old\nc.md=3", "m.mbox!/b.eml!/c.md (Old): 3"}},
		{"a message in an archive", map[string]string{"a.zip": testkit.ZIP(t, map[string]string{"m.eml": "Offer\na.md=1", "m.eml.meta.yaml": "own"})},
			[]string{"a.zip!/m.eml <a.zip!/m.eml.meta.yaml>: Offer\na.md=1", "a.zip!/m.eml!/a.md <a.zip!/m.eml.meta.yaml> (Offer): 1"}},
	} {
		t.Run(tt.what, func(t *testing.T) { checkShown(t, l(tt.files, attachmentsOf), tt.want...) })
	}
	checkShown(t, l(map[string]string{"m.eml": "Offer\na.md=1"}, nil), "m.eml: Offer\na.md=1")

	got := l(map[string]string{"m.eml": "One\nm.eml=Two"}, func(string, []byte) []Attachment {
		return []Attachment{{Path: "m.eml", Data: []byte("again")}}
	})
	if paths(got) != "m.eml m.eml!/m.eml m.eml!/m.eml!/m.eml m.eml!/m.eml!/m.eml!/m.eml" || !strings.Contains(skipped(got), "m.eml!/m.eml!/m.eml!/m.eml: what is attached: "+errNested.Error()) {
		t.Errorf("%s\n%s", paths(got), skipped(got))
	}
}

// A sidecar in an archive that came with a message is not believed, and what it may
// close is not read.
func TestSidecarThatCameWithAMessage(t *testing.T) {
	inner := testkit.ZIP(t, map[string]string{"x.md": "x", "_meta.yaml": "readers: [group:all]"})
	pack := testkit.ZIP(t, map[string]string{"a.md": "a", "b/b.md": "b", "b/_meta.yaml": "authority: 100", "in.zip": inner})
	l := list(t, tree(t, map[string]string{"m.eml": "Offer\np.zip=" + strings.ReplaceAll(pack, "\n", "¶")}), Options{Attachments: attachmentsOf})
	for path, want := range map[string]string{"m.eml!/p.zip!/a.md": "", "m.eml!/p.zip!/b/b.md": "came with a message", "m.eml!/p.zip!/in.zip!/x.md": "came with a message"} {
		if o, err := read(t, l, path); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && o.Carrier == nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A message that cannot be read keeps what was attached to it.
func TestUnreadMessageHidesItsAttachments(t *testing.T) {
	root := tree(t, map[string]string{"m.eml": "Offer\na.md=" + strings.Repeat("1", 100)})
	l := list(t, root, Options{Attachments: attachmentsOf, MaxBytes: 50})
	checkShown(t, l, "! read m.eml: 111 bytes is more than the limit of 50: raise limits.document_bytes to index it: too large", "? m.eml")
}

// The subject and date of a message are part of what is attached to it.
func TestHashCoversCarrier(t *testing.T) {
	hashes := map[string]bool{}
	for _, c := range []*Carrier{nil, {}, {Title: "Offer"}, {Title: "Offer", Date: 1}, {Date: 1}} {
		hashes[hash([]byte("x"), nil, c, nil)] = true
	}
	if len(hashes) != 5 {
		t.Errorf("%d of 5 differ", len(hashes))
	}
}
