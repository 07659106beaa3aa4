package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

const tolerance = 300 * time.Second

// IsGenuine reports whether a webhook is genuine and recent. rawBody: the bytes as they arrived, before any JSON parsing, from
// io.ReadAll(r.Body). header: r.Header. secrets: yours exactly as shown, whsec_ included; while you rotate it, the new and the old one.
func IsGenuine(rawBody []byte, header http.Header, secrets ...string) bool {
	timestamp := header.Get("X-Webhook-Timestamp")
	signature := []byte(header.Get("X-Signature"))
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return false
	}
	age := time.Since(time.Unix(int64(seconds), 0))
	if age > tolerance || age < -tolerance {
		return false
	}
	for _, secret := range secrets {
		hash := hmac.New(sha256.New, []byte(secret))
		hash.Write([]byte(timestamp + "."))
		hash.Write(rawBody)
		expected := []byte("sha256=" + hex.EncodeToString(hash.Sum(nil)))
		if hmac.Equal(signature, expected) {
			return true
		}
	}
	return false
}
