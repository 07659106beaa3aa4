#!/bin/sh
# Adds data to an eSIM that you sold: the first refill its plan has.
#   WAYFARE_KEY=esk_test_… ICCID=8900… sh examples/curl/refill.sh
set -eu
: "${WAYFARE_KEY:?Set WAYFARE_KEY to a sandbox key.}" "${ICCID:?Set ICCID to the number of an eSIM you sold.}"
WAYFARE_URL=${WAYFARE_URL:-http://localhost:4010/v3}
call() { curl -sSf -H "X-API-Key: $WAYFARE_KEY" "$@"; }

refill=$(call "$WAYFARE_URL/esim/refills/$ICCID" | grep -o 'esc_[0-9a-f]\{16\}' | head -n 1)
# The key makes the purchase safe to repeat. Derive it from your own records: one for each sale.
call "$WAYFARE_URL/purchase/refill" -d "iccid=$ICCID" -d "product_id=$refill" -d "idempotency_key=curl-refill-$ICCID"
