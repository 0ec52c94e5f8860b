// Package sameorigin keeps pages of other sites away from a server on this machine. A
// browser that shows such a page can reach the server, too: by its address, or by a
// name of the other site that was made to lead here (DNS rebinding).
package sameorigin

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// LoopbackHosts are the Host headers of requests that were meant for a server
// that listens there; nil if other machines reach it, by names that are not known.
func LoopbackHosts(listening net.Addr) []string {
	tcp, ok := listening.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return nil
	}
	_, port, err := net.SplitHostPort(tcp.String())
	if err != nil {
		return nil
	}
	var hosts []string
	for _, name := range []string{"localhost", "127.0.0.1", "::1", tcp.IP.String()} {
		hosts = append(hosts, net.JoinHostPort(name, port))
		if port == "80" { // browsers leave it out
			hosts = append(hosts, strings.TrimSuffix(net.JoinHostPort(name, ""), ":"))
		}
	}
	return hosts
}

// Refusal says why a request is refused, and with which status.
type Refusal struct {
	Status int
	Reason string
}

// Check refuses a request for a host that is not among hosts, which may be nil for
// any, and one that a page of another origin makes. A request without an Origin
// comes from no page, or is the opening of one.
func Check(r *http.Request, hosts []string) *Refusal {
	if hosts != nil && !slices.Contains(hosts, strings.ToLower(r.Host)) {
		return &Refusal{http.StatusMisdirectedRequest, fmt.Sprintf("This server is not %q; use the address that it printed.", r.Host)}
	}
	for _, origin := range r.Header.Values("Origin") {
		from, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(from.Host, r.Host) {
			return &Refusal{http.StatusForbidden, fmt.Sprintf("Pages of %q may ask nothing here.", origin)}
		}
	}
	return nil
}

// Handler hands on what Check lets through.
func Handler(hosts []string, to http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := Check(r, hosts); err != nil {
			http.Error(w, err.Reason, err.Status)
			return
		}
		to.ServeHTTP(w, r)
	})
}
