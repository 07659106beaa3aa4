<?php

// Receives webhooks and logs those that are genuine and recent: WEBHOOK_SECRET=whsec_… php -S localhost:9000 receive.php
require __DIR__ . '/../verify/verify.php';

$rawBody = file_get_contents('php://input');
if (!isGenuine($rawBody, getallheaders(), getenv('WEBHOOK_SECRET'))) {
    http_response_code(401);
    exit;
}
http_response_code(204);
$event = json_decode($rawBody, true);
error_log("{$event['event']} {$event['event_id']}");
