<?php

/**
 * A client in thirty lines, for the programs beside it. It needs nothing but PHP. Reads, and purchases because of their idempotency
 * key, are safe to repeat; do not repeat another POST unless it was refused with 429.
 */
function call(string $path, ?array $form = null, int $attempts = 3): array
{
    $api = getenv('WAYFARE_URL') ?: 'http://localhost:4010/v3';
    $key = getenv('WAYFARE_KEY');
    if (!$key) {
        fwrite(STDERR, "Set WAYFARE_KEY to a sandbox key.\n");
        exit(1);
    }
    $headers = ["X-API-Key: $key"];
    $http = ['timeout' => 30, 'ignore_errors' => true, 'follow_location' => 0];
    if ($form !== null) {
        $headers[] = 'Content-Type: application/x-www-form-urlencoded';
        $http += ['method' => 'POST', 'content' => http_build_query($form)];
    }
    $text = @file_get_contents("$api/$path", false, stream_context_create(['http' => $http + ['header' => $headers]]));
    $answer = json_decode($text ?: 'null', true);
    if (($answer['result'] ?? '') === 'ok') {
        return $answer;
    }
    $isSafe = $form === null || isset($form['idempotency_key']);
    $code = $answer['code'] ?? null;
    if ($attempts > 1 && ($code === '429' || ($isSafe && ($code === '503' || $answer === null)))) {
        preg_match('/^Retry-After: (\d+)/mi', implode("\n", $http_response_header ?? []), $wait);
        sleep((int) ($wait[1] ?? 1));
        return call($path, $form, $attempts - 1);
    }
    throw new RuntimeException("$path: " . ($answer['error'] ?? 'no answer'));
}
