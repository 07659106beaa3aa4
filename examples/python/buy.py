"""Lists the plans for France, buys the cheapest and shows how to install its eSIM.

npm run sdk && pip install wayfare_sdk-0.3.0.dev0-py3-none-any.whl && cd examples/python
WAYFARE_KEY=esk_test_… python3 buy.py
"""
import os
import sys

from wayfare import Wayfare
from wayfare.errors import InsufficientBalanceError

if not os.environ.get("WAYFARE_KEY"):
    sys.exit("Set WAYFARE_KEY to a sandbox key.")
wayfare = Wayfare(os.environ["WAYFARE_KEY"], base_url=os.environ.get("WAYFARE_URL"))
plans = list(wayfare.catalog.all_products(country="FR"))
plan = min(plans, key=lambda one: one["partner_price"])
try:
    # The key is from your records: if this program runs twice, it buys once.
    bought = wayfare.purchase.buy(product_id=plan["id"], idempotency_key="python-buy-1")
except InsufficientBalanceError as error:
    sys.exit(f"The balance of {error.balance} USD does not cover {error.required} USD.")
esim = wayfare.order.detail(bought["order_id"])["esim"]
print(f"Order {bought['order_id']} is {bought['delivery']}: eSIM {esim['iccid']}, {esim['qrcode_url']}")
