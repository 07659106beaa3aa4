// Receives webhooks and prints those that are genuine and recent: WEBHOOK_SECRET=whsec_… go run ./receive
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"example.com/webhook"
)

func main() {
	secret, port := os.Getenv("WEBHOOK_SECRET"), os.Getenv("PORT")
	if port == "" {
		port = "9000"
	}
	http.HandleFunc("/hook", func(w http.ResponseWriter, r *http.Request) {
		rawBody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil || !webhook.IsGenuine(rawBody, r.Header, secret) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		var event struct {
			Event   string
			EventID string `json:"event_id"`
		}
		if json.Unmarshal(rawBody, &event) == nil {
			fmt.Println(event.Event, event.EventID)
		}
	})
	listener, err := net.Listen("tcp", "localhost:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Listening on http://localhost:%s/hook\n", port)
	log.Fatal(http.Serve(listener, nil))
}
