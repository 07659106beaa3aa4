<?php

declare(strict_types=1);

namespace Wayfare;

final class HttpResponse
{
    /** @param array<string, string> $headers With names in lower case. */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }
}
