<?php

const TOLERANCE_SECONDS = 300;

/**
 * Whether a webhook is genuine and recent.
 *
 * $rawBody: the bytes as they arrived, before any JSON parsing: file_get_contents('php://input').
 * $headers: getallheaders().
 * $secrets: yours exactly as shown, whsec_ included; while you rotate it, the new and the old one.
 */
function isGenuine(string $rawBody, array $headers, string ...$secrets): bool
{
    $headers = array_change_key_case($headers, CASE_LOWER);
    $timestamp = $headers['x-webhook-timestamp'] ?? '';
    $signature = $headers['x-signature'] ?? '';
    if (!preg_match('/\A[0-9]{1,12}\z/', $timestamp)) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    foreach ($secrets as $secret) {
        $expected = 'sha256=' . hash_hmac('sha256', "$timestamp.$rawBody", $secret);
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}
