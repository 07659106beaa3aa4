"""Adds data to an eSIM that you sold, the first refill its plan has: WAYFARE_KEY=esk_test_… ICCID=8900… python3 refill.py"""
import os
import sys

from wayfare import Wayfare

if not os.environ.get("WAYFARE_KEY"):
    sys.exit("Set WAYFARE_KEY to a sandbox key.")
wayfare = Wayfare(os.environ["WAYFARE_KEY"], base_url=os.environ.get("WAYFARE_URL"))
iccid = os.environ["ICCID"]
refills = wayfare.esim.refills(iccid)["products"]
if not refills:
    sys.exit("Nothing can be added to this eSIM.")
refill = refills[0]
bought = wayfare.purchase.refill(iccid=iccid, product_id=refill["id"], idempotency_key=f"python-refill-{iccid}")
print(f"Order {bought['order_id']} is {bought['delivery']}: {refill['title']}")
