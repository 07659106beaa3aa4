// Package wayfare is a small client for the programs beside it. It needs nothing but Go.
package wayfare

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

var client = http.Client{
	Timeout: 30 * time.Second,
	// A redirect would carry the key to another address.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Call sends a GET, or a POST with a form, and decodes the answer. Reads, and purchases because of their idempotency key, are
// repeated when no answer came or the server asked to wait; another POST only when it was refused with 429.
func Call(path string, form url.Values, answer any) error {
	isSafe := form == nil || form.Get("idempotency_key") != ""
	for attempt := 1; ; attempt++ {
		status, retryAfter, err := send(path, form, answer)
		mayPass := status == http.StatusTooManyRequests ||
			isSafe && (status == 0 || status == http.StatusServiceUnavailable)
		if err == nil || !mayPass || attempt == 3 {
			return err
		}
		time.Sleep(retryAfter)
	}
}

func send(path string, form url.Values, answer any) (status int, retryAfter time.Duration, err error) {
	api := os.Getenv("WAYFARE_URL")
	if api == "" {
		api = "http://localhost:4010/v3"
	}
	key := os.Getenv("WAYFARE_KEY")
	if key == "" {
		fmt.Fprintln(os.Stderr, "Set WAYFARE_KEY to a sandbox key.")
		os.Exit(1)
	}
	method := http.MethodGet
	if form != nil {
		method = http.MethodPost
	}
	request, err := http.NewRequest(method, api+"/"+path, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, 0, err
	}
	request.Header.Set("X-API-Key", key)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, time.Second, err
	}
	defer response.Body.Close()
	if response.StatusCode < 300 {
		return response.StatusCode, 0, json.NewDecoder(response.Body).Decode(answer)
	}
	var refused struct{ Error string }
	_ = json.NewDecoder(response.Body).Decode(&refused)
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil {
		seconds = 1
	}
	return response.StatusCode, time.Duration(seconds) * time.Second, fmt.Errorf("%s: %d %s", path, response.StatusCode, refused.Error)
}
