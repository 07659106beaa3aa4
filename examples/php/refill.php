<?php

// Adds data to an eSIM that you sold, the first refill its plan has: WAYFARE_KEY=esk_test_… ICCID=8900… php refill.php
require __DIR__ . '/wayfare.php';

$iccid = getenv('ICCID');
$refills = call("esim/refills/$iccid")['products'];
if ($refills === []) {
    exit("Nothing can be added to this eSIM.\n");
}
$form = ['iccid' => $iccid, 'product_id' => $refills[0]['id'], 'idempotency_key' => "php-refill-$iccid"];
$bought = call('purchase/refill', $form);
echo "Order {$bought['order_id']} is {$bought['delivery']}: {$refills[0]['title']}\n";
