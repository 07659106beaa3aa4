// Adds data to an eSIM that you sold, the first refill its plan has: WAYFARE_KEY=esk_test_… ICCID=8900… go run ./refill
package main

import (
	"fmt"
	"log"
	"net/url"
	"os"

	"example.com/shop/wayfare"
)

func main() {
	iccid := os.Getenv("ICCID")
	var refills struct{ Products []struct{ ID, Title string } }
	if err := wayfare.Call("esim/refills/"+url.PathEscape(iccid), nil, &refills); err != nil {
		log.Fatal(err)
	}
	if len(refills.Products) == 0 {
		log.Fatal("Nothing can be added to this eSIM.")
	}
	var bought struct {
		OrderID  int `json:"order_id"`
		Delivery string
	}
	first := refills.Products[0]
	sale := url.Values{"iccid": {iccid}, "product_id": {first.ID}, "idempotency_key": {"go-refill-" + iccid}}
	if err := wayfare.Call("purchase/refill", sale, &bought); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Order %d is %s: %s\n", bought.OrderID, bought.Delivery, first.Title)
}
