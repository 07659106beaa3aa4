<?php

declare(strict_types=1);

namespace Wayfare;

/** @internal The contract's retry rules. */
final class Retry
{
    /** The limiter's window is a minute, so a longer wait has another cause, which the caller should know about. */
    private const LONGEST_WAIT_SECONDS = 120;

    /** How long to wait before the next attempt, or null to give up. */
    public static function secondsBefore(
        int $retries,
        int $maxRetries,
        bool $had500,
        bool $isRepeatable,
        ?int $httpStatus,
        ?string $code,
        bool $isSimulated,
        ?int $retryAfter,
    ): ?float {
        // A simulated error is the same each time.
        if ($retries >= $maxRetries || $isSimulated) {
            return null;
        }
        if ($retryAfter !== null && $retryAfter > self::LONGEST_WAIT_SECONDS) {
            return null;
        }
        // Refused before anything was done, so this is safe for every call.
        if ($httpStatus === 429) {
            return (float) ($retryAfter ?? 60 - fmod(microtime(true), 60));
        }
        if (!$isRepeatable) {
            return null;
        }
        if ($httpStatus === null || $httpStatus === 503 || $code === 'charge_in_progress') {
            return (float) ($retryAfter ?? self::backOff($retries));
        }
        if ($httpStatus === 500) {
            return $had500 ? null : self::backOff($retries);
        }
        // A proxy in between had no answer from the server.
        return $code === null && ($httpStatus === 502 || $httpStatus === 504) ? self::backOff($retries) : null;
    }

    private static function backOff(int $retries): float
    {
        return min(0.5 * 2 ** $retries, 8.0) * (0.5 + random_int(0, 1_000_000) / 2_000_000);
    }
}
