#!/bin/sh
# Buys an eSIM in the sandbox, then shows its activation data and its usage.
#   WAYFARE_KEY=esk_test_… sh examples/first-purchase.sh
set -eu
: "${WAYFARE_KEY:?Set WAYFARE_KEY to a sandbox key.}"
WAYFARE_URL=${WAYFARE_URL:-http://localhost:4010/v3}
call() { curl -sSf -H "X-API-Key: $WAYFARE_KEY" "$@"; }
show() { printf '%s\n' "$1"; }

# The cheapest plan for France. Product ids differ from one installation to the next.
product=$(call "$WAYFARE_URL/catalog/products?country=FR&limit=1" | grep -o 'esc_[0-9a-f]\{16\}')

# The idempotency key makes the purchase safe to repeat: sent again, it returns the same order.
bought=$(call -d "product_id=$product" -d idempotency_key=first-purchase "$WAYFARE_URL/purchase/buy")
show "$bought"

# The reply never holds activation data. Read that from the order.
order=$(show "$bought" | sed 's/.*"order_id":\([0-9]*\).*/\1/')
detail=$(call "$WAYFARE_URL/order/detail/$order")
show "$detail"

iccid=$(show "$detail" | sed 's/.*"iccid":"\([0-9]*\)".*/\1/')
show "$(call "$WAYFARE_URL/order/usage/$iccid")"
