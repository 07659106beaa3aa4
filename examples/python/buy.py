"""Buys the cheapest plan for France and prints where to install its eSIM: WAYFARE_KEY=esk_test_… python3 buy.py"""
from wayfare import call

product = call("catalog/products?country=FR&limit=1")["products"][0]
bought = call("purchase/buy", {"product_id": product["id"], "idempotency_key": "python-buy-1"})
esim = call(f"order/detail/{bought['order_id']}")["esim"]
print(f"Order {bought['order_id']} is {bought['delivery']}: eSIM {esim['iccid']}, {esim['qrcode_url']}")
