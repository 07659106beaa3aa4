<?php

// Receives webhooks and logs those that are genuine and recent: WEBHOOK_SECRET=whsec_… php -S localhost:9000 receive.php
declare(strict_types=1);

require __DIR__ . '/wayfare-sdk/autoload.php';

use Wayfare\Webhook;
use Wayfare\WebhookRejected;

// While you rotate the secret: [$new, $old].
$secret = (string) getenv('WEBHOOK_SECRET');
try {
    $event = Webhook::verify((string) file_get_contents('php://input'), getallheaders(), $secret);
} catch (WebhookRejected) {
    http_response_code(401);
    exit;
}
http_response_code(204);
error_log("{$event['event']} {$event['event_id']}");
