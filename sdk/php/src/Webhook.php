<?php

declare(strict_types=1);

namespace Wayfare;

/**
 * Tells genuine webhooks from forged ones.
 *
 * @phpstan-import-type WebhookEvent from \Wayfare\Types
 */
final class Webhook
{
    private const TOLERANCE_SECONDS = 300;

    /**
     * The event, if the webhook is genuine and recent; throws otherwise.
     *
     * @param string $rawBody The bytes as they arrived, before any JSON parsing: `file_get_contents('php://input')`.
     * @param array<string, mixed> $headers `getallheaders()`, or your framework's.
     * @param string|list<string> $secret As it was shown, `whsec_` included. While you rotate it, the new and the old one.
     * @param float|null $now Unix seconds; by default the time it is.
     * @return WebhookEvent
     * @throws WebhookRejected
     */
    public static function verify(string $rawBody, array $headers, #[\SensitiveParameter] string|array $secret, ?float $now = null): array
    {
        $secrets = self::secretsOf($secret);
        $styles = array_filter([self::ownStyle($headers), self::standardStyle($headers)]);
        if ($styles === []) {
            throw new WebhookRejected('no_signature');
        }
        $now ??= microtime(true);
        $recent = array_filter($styles, static fn (array $one): bool => self::isRecent($one['timestamp'], $now));
        if ($recent === []) {
            throw new WebhookRejected('too_old_or_early');
        }
        foreach ($recent as $style) {
            foreach ($secrets as $one) {
                if (self::isSigned($style, $one, $rawBody)) {
                    return self::eventIn($rawBody);
                }
            }
        }
        throw new WebhookRejected('wrong_signature');
    }

    /**
     * Throws unless each is a whole secret: anybody could sign with `whsec_` alone. An empty one beside another is left out.
     *
     * @param string|list<string> $secret
     * @return list<string>
     */
    private static function secretsOf(#[\SensitiveParameter] string|array $secret): array
    {
        $secrets = array_values(array_filter((array) $secret, static fn (string $one): bool => $one !== ''));
        $whole = preg_grep('~\Awhsec_[0-9A-Za-z+/=]{32,}\z~', $secrets);
        if ($secrets === [] || $whole !== $secrets) {
            throw new \InvalidArgumentException(
                'A webhook needs the secret of your subscription as it was shown: whsec_ and what follows it',
            );
        }
        return $secrets;
    }

    /**
     * `sha256=` and hex, signed with the secret as shown.
     *
     * @param array<string, mixed> $headers
     * @return array{timestamp: string, signatures: list<string>, prefix: string, isStandard: bool}|null
     */
    private static function ownStyle(array $headers): ?array
    {
        $timestamp = self::header($headers, 'x-webhook-timestamp');
        if (preg_match('/\Asha256=([0-9a-f]{64})\z/', self::header($headers, 'x-signature'), $found) !== 1) {
            return null;
        }
        $signature = (string) hex2bin($found[1]);
        return ['timestamp' => $timestamp, 'signatures' => [$signature], 'prefix' => "$timestamp.", 'isStandard' => false];
    }

    /**
     * `v1,` and base64, one for each secret, signed with what follows `whsec_`.
     *
     * @param array<string, mixed> $headers
     * @return array{timestamp: string, signatures: list<string>, prefix: string, isStandard: bool}|null
     */
    private static function standardStyle(array $headers): ?array
    {
        $timestamp = self::header($headers, 'webhook-timestamp');
        $given = explode(' ', self::header($headers, 'webhook-signature'));
        $whole = preg_grep('~\Av1,[0-9A-Za-z+/]{43}=\z~', $given) ?: [];
        if ($whole === []) {
            return null;
        }
        $signatures = array_map(static fn (string $one): string => self::base64(substr($one, 3)), array_values($whole));
        $prefix = self::header($headers, 'webhook-id') . ".$timestamp.";
        return ['timestamp' => $timestamp, 'signatures' => $signatures, 'prefix' => $prefix, 'isStandard' => true];
    }

    private static function isRecent(string $timestamp, float $now): bool
    {
        return preg_match('/\A[0-9]{1,12}\z/', $timestamp) === 1 && abs($now - (int) $timestamp) <= self::TOLERANCE_SECONDS;
    }

    /** @param array{timestamp: string, signatures: list<string>, prefix: string, isStandard: bool} $style */
    private static function isSigned(array $style, #[\SensitiveParameter] string $secret, string $body): bool
    {
        $key = $style['isStandard'] ? self::base64(substr($secret, strlen('whsec_'))) : $secret;
        if ($key === '') {
            return false;
        }
        $expected = hash_hmac('sha256', $style['prefix'] . $body, $key, true);
        foreach ($style['signatures'] as $signature) {
            if (hash_equals($expected, $signature)) {
                return true;
            }
        }
        return false;
    }

    /** @return WebhookEvent */
    private static function eventIn(string $body): array
    {
        $event = json_decode($body, true, 512, JSON_INVALID_UTF8_SUBSTITUTE);
        return is_array($event) ? $event : throw new WebhookRejected('not_json');
    }

    /**
     * PSR-7 and Laravel have a list of values for each name. Sent twice it is worth nothing: which was meant is for nobody to guess.
     *
     * @param array<string, mixed> $headers
     */
    private static function header(array $headers, string $name): string
    {
        $values = [];
        foreach ($headers as $one => $value) {
            if (strtolower((string) $one) === $name) {
                array_push($values, ...(is_array($value) ? array_values($value) : [$value]));
            }
        }
        return count($values) === 1 && is_string($values[0]) ? $values[0] : '';
    }

    /** With or without padding; nothing if it is not base64. */
    private static function base64(string $text): string
    {
        $plain = strlen($text) % 4 === 0 ? (string) preg_replace('/={1,2}\z/', '', $text) : $text;
        if (preg_match('~\A[0-9A-Za-z+/]*\z~', $plain) !== 1 || strlen($plain) % 4 === 1) {
            return '';
        }
        return (string) base64_decode($plain . str_repeat('=', (4 - strlen($plain) % 4) % 4));
    }
}
