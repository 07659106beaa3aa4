// Buys the cheapest plan for France and prints where to install its eSIM: WAYFARE_KEY=esk_test_… go run ./buy
package main

import (
	"fmt"
	"log"
	"net/url"

	"example.com/shop/wayfare"
)

func main() {
	var catalog struct{ Products []struct{ ID string } }
	call("catalog/products?country=FR&limit=1", nil, &catalog)

	var bought struct {
		OrderID  int `json:"order_id"`
		Delivery string
	}
	sale := url.Values{"product_id": {catalog.Products[0].ID}, "idempotency_key": {"go-buy-1"}}
	call("purchase/buy", sale, &bought)

	var detail struct {
		Esim struct {
			ICCID     string
			QRCodeURL string `json:"qrcode_url"`
		}
	}
	call(fmt.Sprintf("order/detail/%d", bought.OrderID), nil, &detail)
	fmt.Printf("Order %d is %s: eSIM %s, %s\n", bought.OrderID, bought.Delivery, detail.Esim.ICCID, detail.Esim.QRCodeURL)
}

func call(path string, form url.Values, answer any) {
	if err := wayfare.Call(path, form, answer); err != nil {
		log.Fatal(err)
	}
}
