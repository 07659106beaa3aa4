<?php

declare(strict_types=1);

namespace Wayfare;

/** No answer came. */
final class TransportFailed extends \RuntimeException
{
    public function __construct(string $message, public readonly bool $isTimeout = false)
    {
        parent::__construct($message);
    }
}
