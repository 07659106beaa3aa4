"""Adds data to an eSIM that you sold, the first refill its plan has: WAYFARE_KEY=esk_test_… ICCID=8900… python3 refill.py"""
import os
import sys

from wayfare import call

iccid = os.environ["ICCID"]
refills = call(f"esim/refills/{iccid}")["products"]
if not refills:
    sys.exit("Nothing can be added to this eSIM.")
form = {"iccid": iccid, "product_id": refills[0]["id"], "idempotency_key": f"python-refill-{iccid}"}
bought = call("purchase/refill", form)
print(f"Order {bought['order_id']} is {bought['delivery']}: {refills[0]['title']}")
