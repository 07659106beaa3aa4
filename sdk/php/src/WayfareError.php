<?php

declare(strict_types=1);

namespace Wayfare;

/**
 * The server refused a call. Each code has a class of its own in `Wayfare\Errors`, with the fields that come with it:
 * `catch (InsufficientBalanceError $error) { $error->required }`. A server newer than this SDK may answer codes without one: they are
 * plain `WayfareError`.
 */
class WayfareError extends \RuntimeException
{
    /**
     * @param array<string, mixed> $body The whole answer.
     * @param string $errorCode Why, for a program: `insufficient_balance`.
     * @param string|null $requestId Quote it when you ask the operator for help.
     * @param string|null $idempotencyKey The key a purchase was sent with.
     */
    final public function __construct(
        public readonly array $body,
        string $path,
        public readonly string $errorCode,
        public readonly int $httpStatus,
        public readonly ?string $requestId,
        public readonly ?string $idempotencyKey,
    ) {
        // A server older than this SDK says nothing.
        $said = is_string($body['message'] ?? null) && $body['message'] !== '' ? ": {$body['message']}" : '';
        $named = $requestId === null ? '' : " (request $requestId)";
        parent::__construct("$path was refused with $httpStatus $errorCode$said$named");
    }

    /** The fields that come with the code. One that the server did not send is null. */
    public function __get(string $name): mixed
    {
        return $this->body[$name] ?? null;
    }

    public function __isset(string $name): bool
    {
        return isset($this->body[$name]);
    }
}
