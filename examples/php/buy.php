<?php

// Buys the cheapest plan for France and prints where to install its eSIM: WAYFARE_KEY=esk_test_… php buy.php
require __DIR__ . '/wayfare.php';

$product = call('catalog/products?country=FR&limit=1')['products'][0];
$bought = call('purchase/buy', ['product_id' => $product['id'], 'idempotency_key' => 'php-buy-1']);
$esim = call("order/detail/{$bought['order_id']}")['esim'];
echo "Order {$bought['order_id']} is {$bought['delivery']}: eSIM {$esim['iccid']}, {$esim['qrcode_url']}\n";
