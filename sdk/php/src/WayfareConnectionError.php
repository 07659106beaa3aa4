<?php

declare(strict_types=1);

namespace Wayfare;

/**
 * No answer of the API came: the connection failed, time ran out, or something in between answered. A purchase may have succeeded all
 * the same. To find out, send it again with `$idempotencyKey`.
 */
final class WayfareConnectionError extends \RuntimeException
{
    /** @param int|null $httpStatus What a proxy or a wrong address answered. */
    public function __construct(
        string $message,
        public readonly bool $isTimeout = false,
        public readonly ?int $httpStatus = null,
        public readonly ?string $requestId = null,
        public readonly ?string $idempotencyKey = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message . ($requestId === null ? '' : " (request $requestId)"), 0, $previous);
    }
}
