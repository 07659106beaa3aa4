<?php

declare(strict_types=1);

namespace Wayfare;

/** For one call only. */
final class CallOptions
{
    /**
     * @param string|null $key Another API key, if you act for several accounts.
     * @param string|null $sandboxError Sandbox keys only: be refused with this code.
     */
    public function __construct(
        #[\SensitiveParameter] public readonly ?string $key = null,
        public readonly ?float $timeoutSeconds = null,
        public readonly ?int $maxRetries = null,
        public readonly ?string $sandboxError = null,
    ) {
    }

    /** @return array<string, mixed> What `var_dump` shows: the key is not part of it. */
    public function __debugInfo(): array
    {
        return ['key' => $this->key === null ? null : '…'] + get_object_vars($this);
    }
}
