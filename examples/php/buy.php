<?php

// Lists the plans for France, buys the cheapest and shows how to install its eSIM.
//   npm run sdk && cd examples/php && unzip -q ../../wayfare-sdk-php-0.3.0-dev.zip -d wayfare-sdk
//   WAYFARE_KEY=esk_test_… php buy.php
declare(strict_types=1);

require __DIR__ . '/wayfare-sdk/autoload.php';

use Wayfare\Errors\InsufficientBalanceError;
use Wayfare\Wayfare;

$key = getenv('WAYFARE_KEY');
if (!$key) {
    fwrite(STDERR, "Set WAYFARE_KEY to a sandbox key.\n");
    exit(1);
}
$wayfare = new Wayfare($key, getenv('WAYFARE_URL') ?: null);
$plans = iterator_to_array($wayfare->catalog->allProducts(['country' => 'FR']));
usort($plans, fn (array $a, array $b): int => $a['partner_price'] <=> $b['partner_price']);
try {
    // The key is from your records: if this program runs twice, it buys once.
    $bought = $wayfare->purchase->buy(['product_id' => $plans[0]['id'], 'idempotency_key' => 'php-buy-1']);
} catch (InsufficientBalanceError $error) {
    fwrite(STDERR, "The balance of $error->balance USD does not cover $error->required USD.\n");
    exit(1);
}
$esim = $wayfare->order->detail($bought['order_id'])['esim'];
echo "Order {$bought['order_id']} is {$bought['delivery']}: eSIM {$esim['iccid']}, {$esim['qrcode_url']}\n";
