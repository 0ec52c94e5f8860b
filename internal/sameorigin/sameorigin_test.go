package sameorigin

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func at(t *testing.T, address string) net.Addr {
	t.Helper()
	tcp, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return tcp
}

// asked is the status with which a request is answered.
func asked(t *testing.T, hosts []string, host string, origins ...string) int {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, "/", nil)
	request.Host = host
	for _, origin := range origins {
		request.Header.Add("Origin", origin)
	}
	answer := httptest.NewRecorder()
	Handler(hosts, http.NotFoundHandler()).ServeHTTP(answer, request)
	return answer.Code
}

func TestHostsAreCheckedOnLoopback(t *testing.T) {
	t.Parallel()
	hosts := LoopbackHosts(at(t, "127.0.0.1:8400"))
	for host, want := range map[string]int{
		"127.0.0.1:8400": 404, "localhost:8400": 404, "LOCALHOST:8400": 404, "[::1]:8400": 404,
		"127.0.0.1": 421, "127.0.0.1:80": 421, "localhost": 421, "evil.example:8400": 421, "localhost.evil.example:8400": 421, "": 421, "127.0.0.1:8400 ": 421,
	} {
		if got := asked(t, hosts, host); got != want {
			t.Errorf("Host %q: status %d, want %d", host, got, want)
		}
	}
	if LoopbackHosts(at(t, "0.0.0.0:8400")) != nil || LoopbackHosts(at(t, "192.0.2.1:8400")) != nil {
		t.Error("hosts are checked where other machines may come from")
	}
	if hosts := strings.Join(LoopbackHosts(at(t, "[::1]:80")), " "); !strings.Contains(hosts, "localhost localhost:80") && !strings.Contains(hosts, "localhost:80 localhost ") {
		t.Errorf("on port 80: %s", hosts)
	}
}

func TestOriginsAreCheckedEverywhere(t *testing.T) {
	t.Parallel()
	for _, hosts := range [][]string{nil, LoopbackHosts(at(t, "127.0.0.1:8400"))} {
		const host = "127.0.0.1:8400"
		for origin, want := range map[string]int{
			"http://127.0.0.1:8400": 404, "https://127.0.0.1:8400": 404,
			"http://evil.example": 403, "http://127.0.0.1": 403, "http://127.0.0.1:8401": 403, "http://localhost:8400": 403, "null": 403, "": 403,
			"http://127.0.0.1:8400.evil.example": 403, "http://evil.example/127.0.0.1:8400": 403, "http://127.0.0.1:8400@evil.example": 403, "://": 403,
		} {
			if got := asked(t, hosts, host, origin); got != want {
				t.Errorf("Origin %q: status %d, want %d", origin, got, want)
			}
		}
		if got := asked(t, hosts, host); got != 404 {
			t.Errorf("no Origin: status %d", got)
		}
		if got := asked(t, hosts, host, "http://"+host, "http://evil.example"); got != 403 {
			t.Errorf("two Origins: status %d", got)
		}
	}
}
