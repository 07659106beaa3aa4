<?php

// Runs cases against the PHP SDK: from standard input, with the outcomes on standard output.
declare(strict_types=1);

use Wayfare\CallOptions;
use Wayfare\Contract;
use Wayfare\Wayfare;
use Wayfare\WayfareConnectionError;
use Wayfare\WayfareError;
use Wayfare\Webhook;
use Wayfare\WebhookRejected;

error_reporting(E_ALL);
set_error_handler(static fn (int $level, string $message) => throw new ErrorException($message, 0, $level));
require getenv('WAYFARE_SDK') . '/autoload.php';

$asked = json_decode((string) file_get_contents('php://stdin'), true, 512, JSON_THROW_ON_ERROR);

function made(Wayfare $wayfare, array $call): mixed
{
    $given = $call['options'] ?? [];
    $timeoutMs = $given['timeout_ms'] ?? null;
    $options = new CallOptions(
        $given['key'] ?? null,
        $timeoutMs === null ? null : $timeoutMs / 1000,
        $given['max_retries'] ?? null,
        $given['sandbox_error'] ?? null,
    );
    $fields = ($call['fields'] ?? []) + ($call['extra'] ?? []);
    if (str_contains($call['method'], ' ')) {
        [$verb, $path] = explode(' ', $call['method']);
        return $wayfare->request($verb, $path, $fields, $options);
    }
    [$group, $name] = explode('.', $call['method']);
    $arguments = isset($call['id']) ? [$call['id'], $fields, $options] : [$fields, $options];
    $answer = $wayfare->$group->$name(...$arguments);
    if (!isset($call['take'])) {
        return $answer;
    }
    $rows = [];
    foreach ($answer as $i => $row) {
        assert($i === count($rows));
        $rows[] = $row['id'];
        if (count($rows) >= $call['take']) {
            break;
        }
    }
    return $rows;
}

function outcomeOf(Closure $work): array
{
    try {
        return ['answer' => $work()];
    } catch (WayfareError $error) {
        assert((Contract::ERRORS[$error->errorCode] ?? WayfareError::class) === $error::class);
        return ['refused' => [
            'code' => $error->errorCode,
            'httpStatus' => $error->httpStatus,
            'requestId' => $error->requestId,
            'idempotencyKey' => $error->idempotencyKey,
            'message' => $error->getMessage(),
            'required' => $error->required,
            'balance' => $error->balance,
        ]];
    } catch (WayfareConnectionError $error) {
        return ['unanswered' => [
            'isTimeout' => $error->isTimeout,
            'httpStatus' => $error->httpStatus,
            'requestId' => $error->requestId,
            'idempotencyKey' => $error->idempotencyKey,
            'message' => $error->getMessage(),
        ]];
    } catch (WebhookRejected $error) {
        return ['rejected' => $error->reason];
    } catch (InvalidArgumentException) {
        return ['misused' => true];
    }
}

$done = [];
foreach ($asked['calls'] as $case) {
    $waits = [];
    $settings = $case['settings'] ?? [];
    $wayfare = new Wayfare(
        $settings['key'] ?? 'esk_test_one',
        $case['base_url'],
        timeoutSeconds: ($settings['timeout_ms'] ?? 30_000) / 1000,
        maxRetries: $settings['max_retries'] ?? 3,
        userAgent: $settings['user_agent'] ?? null,
        sleep: static function (float $seconds) use (&$waits): void {
            $waits[] = $seconds * 1000;
        },
    );
    $outcomes = array_map(static fn (array $call) => outcomeOf(static fn () => made($wayfare, $call)), $case['calls']);
    $done[] = ['outcomes' => $outcomes, 'waits' => $waits];
}
$webhooks = array_map(
    static fn (array $one) => outcomeOf(
        static fn () => Webhook::verify($one['body'], $one['headers'], $one['secret'], (float) $one['now'])['event'],
    ),
    $asked['webhooks'],
);
echo json_encode(['calls' => $done, 'webhooks' => $webhooks], JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
