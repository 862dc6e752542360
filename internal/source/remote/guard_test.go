package remote

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/seed-d3156d19/quarry/internal/testkit"
)

func TestReserved(t *testing.T) {
	for address, want := range map[string]string{
		"8.8.8.8": "", "1.1.1.1": "", "172.15.0.1": "", "172.32.0.1": "", "100.63.0.1": "", "192.167.0.1": "", "169.253.1.1": "", "223.255.255.1": "",
		"2606:4700::1111": "", "2a00:1450::1": "", "64:ff9b::808:808": "", "2002:808:808::1": "", "::ffff:8.8.8.8": "",
		"127.0.0.1": "loopback", "127.255.255.254": "loopback", "10.1.2.3": "private", "172.16.0.1": "private", "172.31.255.255": "private",
		"192.168.1.1": "private", "169.254.169.254": "link-local", "100.64.0.1": "shared", "0.0.0.0": "this network", "0.1.2.3": "this network",
		"224.0.0.1": "multicast", "255.255.255.255": "reserved", "192.0.2.1": "documentation", "198.18.0.1": "benchmarking",
		"::1": "loopback", "::": "unspecified", "fc00::1": "private", "fd12::1": "private", "fe80::1": "link-local", "fe80::1%eth0": "link-local", "fec0::1": "private",
		"ff02::1": "multicast", "2001:db8::1": "documentation", "2001::1": "reserved",
		// IPv4 in IPv6: mapped, compatible, NAT64, 6to4.
		"::ffff:127.0.0.1": "loopback", "::ffff:a9fe:a9fe": "link-local", "::127.0.0.1": "loopback", "::10.0.0.1": "private",
		"64:ff9b::7f00:1": "loopback", "64:ff9b::a9fe:a9fe": "link-local", "64:ff9b:1::1": "private", "2002:7f00:1::": "loopback", "2002:c0a8:101::1": "private",
	} {
		if got := Reserved(netip.MustParseAddr(address)); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s is %q, not %q", address, got, want)
		}
	}
}

// What the standard library knows of addresses that are no hosts of the internet is
// among what is reserved, however it is written.
func FuzzReserved(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add([]byte{169, 254, 169, 254})
	f.Add(netip.MustParseAddr("fe80::1").AsSlice())
	f.Fuzz(func(t *testing.T, b []byte) {
		a, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		inner := a.Unmap()
		if (inner.IsLoopback() || inner.IsPrivate() || inner.IsLinkLocalUnicast() || inner.IsMulticast() || inner.IsUnspecified()) && Reserved(a) == "" {
			t.Errorf("%s is not reserved", a)
		}
		if a.Is4() && Reserved(a) != Reserved(netip.AddrFrom16(a.As16())) {
			t.Errorf("%s is judged otherwise when it is mapped", a)
		}
	})
}

// names is a name server on loopback that gives every host one address.
func names(t *testing.T, address string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil {
				continue
			}
			m.Response = true
			m.Additionals = nil
			if m.Questions[0].Type == dnsmessage.TypeA {
				a := netip.MustParseAddr(address)
				m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: m.Questions[0].Name, Class: dnsmessage.ClassINET}, Body: &dnsmessage.AResource{A: a.As4()}}}
			}
			if out, err := m.Pack(); err == nil {
				conn.WriteTo(out, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// No name, however it is written or resolved, leads to a server on this machine.
func TestNoPrivateAddress(t *testing.T) {
	reached := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer server.Close()
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "127.1", "0x7f000001", "2130706433", "0", "rebound.example", "metadata.example"} {
		resolver := names(t, "127.0.0.1")
		if host == "metadata.example" {
			resolver = names(t, "169.254.169.254")
		}
		c := New(Options{Timeout: 10 * time.Second, Clock: testkit.NewClock(), Resolver: resolver})
		_, err := c.Get(t.Context(), Request{URL: "http://" + host + ":" + port + "/", Limit: 10})
		// By rights a number alone is no name, but a resolver may take it for an address.
		number := strings.Trim(host, "0123456789.") == "" && host != "127.0.0.1"
		if !errors.Is(err, ErrPrivate) && !(number && err != nil) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if reached {
		t.Error("the server was reached")
	}
	c := New(Options{Timeout: 10 * time.Second, Clock: testkit.NewClock(), Private: true, Resolver: names(t, "127.0.0.1")})
	if _, err := c.Get(t.Context(), Request{URL: "http://allowed.example:" + port + "/", Limit: 10}); err != nil || !reached {
		t.Errorf("allowed: %v, reached %v", err, reached)
	}
}

// The address is judged at every connection: that of a name was public before is not
// believed.
func TestRebinding(t *testing.T) {
	reached, judged := 0, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached++
		w.Header().Set("Connection", "close")
	}))
	defer server.Close()
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	c := New(Options{Timeout: 10 * time.Second, Clock: testkit.NewClock(), Resolver: names(t, "127.0.0.1"), judge: func(a netip.Addr) string {
		if judged++; judged == 1 {
			return "" // as if the name had led elsewhere the first time
		}
		return Reserved(a)
	}})
	at := Request{URL: "http://site.example:" + port + "/", Limit: 10}
	if _, err := c.Get(t.Context(), at); err != nil || reached != 1 {
		t.Fatalf("%v, reached %d times", err, reached)
	}
	if _, err := c.Get(t.Context(), at); !errors.Is(err, ErrPrivate) || err.Error() != "127.0.0.1 is a loopback address: "+ErrPrivate.Error() || reached != 1 {
		t.Errorf("%v, reached %d times", err, reached)
	}
}
