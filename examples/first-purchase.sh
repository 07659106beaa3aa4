#!/bin/sh
# Buys an eSIM in the sandbox, then shows its activation data and its usage.
#   KEY=esk_test_… sh examples/first-purchase.sh
set -eu
: "${KEY:?Set KEY to a sandbox key.}"
API=${API:-http://localhost:4010/v3}
call() { curl -sSf -H "X-API-Key: $KEY" "$@"; }
show() { printf '%s\n' "$1"; }

# The cheapest plan for France. Product ids differ from one installation to the next.
product=$(call "$API/catalog/products?country=FR&limit=1" | grep -o 'esc_[0-9a-f]\{16\}')

# The idempotency key makes the purchase safe to repeat: sent again, it returns the same order.
bought=$(call -d "product_id=$product" -d idempotency_key=first-purchase "$API/purchase/buy")
show "$bought"

# The reply never holds activation data. Read that from the order.
order=$(show "$bought" | sed 's/.*"order_id":\([0-9]*\).*/\1/')
detail=$(call "$API/order/detail/$order")
show "$detail"

iccid=$(show "$detail" | sed 's/.*"iccid":"\([0-9]*\)".*/\1/')
show "$(call "$API/order/usage/$iccid")"
