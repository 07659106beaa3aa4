<?php

declare(strict_types=1);

namespace Wayfare;

final class HttpRequest
{
    /**
     * @param array<string, string> $headers
     * @param float $timeoutSeconds For the whole exchange.
     */
    public function __construct(
        public readonly string $verb,
        public readonly string $url,
        #[\SensitiveParameter] public readonly array $headers,
        public readonly ?string $body,
        public readonly float $timeoutSeconds,
    ) {
    }
}
