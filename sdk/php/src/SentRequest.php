<?php

declare(strict_types=1);

namespace Wayfare;

/** One attempt of a call, about to be sent. */
final class SentRequest
{
    /**
     * @param int $attempt 1, and one more with each retry.
     * @param array<string, string> $headers Add your own, for tracing. The API key is not among them, so they can be logged.
     */
    public function __construct(
        public readonly string $verb,
        public readonly string $path,
        public readonly string $url,
        public readonly int $attempt,
        public readonly ?string $idempotencyKey,
        public array $headers,
    ) {
    }
}
