<?php

declare(strict_types=1);

namespace Wayfare;

/** How an attempt ended. Without a status, no answer came. */
final class EndedRequest
{
    /**
     * @param array<string, string>|null $headers
     * @param \Throwable|null $error What the attempt failed with; it may be retried.
     */
    public function __construct(
        public readonly SentRequest $request,
        public readonly float $durationMs,
        public readonly ?int $httpStatus,
        public readonly ?array $headers,
        public readonly ?string $requestId,
        public readonly ?RateLimit $rateLimit,
        public readonly ?\Throwable $error,
    ) {
    }
}
