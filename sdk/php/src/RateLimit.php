<?php

declare(strict_types=1);

namespace Wayfare;

/** What is left of the limit that a call counts towards. Each key has one per rate tier and minute. */
final class RateLimit
{
    public function __construct(
        public readonly int $limit,
        public readonly int $remaining,
        public readonly int $resetSeconds,
    ) {
    }

    /** @param array<string, string> $headers */
    public static function in(array $headers): ?self
    {
        $found = [];
        foreach (['limit', 'remaining', 'reset'] as $name) {
            $value = $headers["x-ratelimit-$name"] ?? '';
            if (preg_match('/\A[0-9]{1,9}\z/', $value) !== 1) {
                return null;
            }
            $found[] = (int) $value;
        }
        return new self(...$found);
    }
}
