<?php

// Adds data to an eSIM that you sold, the first refill its plan has: WAYFARE_KEY=esk_test_… ICCID=8900… php refill.php
declare(strict_types=1);

require __DIR__ . '/wayfare-sdk/autoload.php';

use Wayfare\Wayfare;

$key = getenv('WAYFARE_KEY');
if (!$key) {
    fwrite(STDERR, "Set WAYFARE_KEY to a sandbox key.\n");
    exit(1);
}
$wayfare = new Wayfare($key, getenv('WAYFARE_URL') ?: null);
$iccid = (string) getenv('ICCID');
$refills = $wayfare->esim->refills($iccid)['products'];
if ($refills === []) {
    exit("Nothing can be added to this eSIM.\n");
}
$sale = ['iccid' => $iccid, 'product_id' => $refills[0]['id'], 'idempotency_key' => "php-refill-$iccid"];
$bought = $wayfare->purchase->refill($sale);
echo "Order {$bought['order_id']} is {$bought['delivery']}: {$refills[0]['title']}\n";
