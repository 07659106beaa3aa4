<?php

declare(strict_types=1);

namespace Wayfare;

/** A webhook that must not be trusted. */
final class WebhookRejected extends \RuntimeException
{
    /** @param 'no_signature'|'too_old_or_early'|'wrong_signature'|'not_json' $reason */
    public function __construct(public readonly string $reason)
    {
        parent::__construct("The webhook was rejected: $reason");
    }
}
