<?php

declare(strict_types=1);

namespace Wayfare;

/** @internal Sends a call and repeats it as the contract allows. */
final class Sender
{
    private const MAX_WARNED = 1_000;
    /** @var array<string, true> Fields already warned about, so that each warning appears once. */
    private static array $warned = [];

    public function __construct(
        #[\SensitiveParameter] private readonly string $key,
        private readonly ?string $baseUrl,
        private readonly float $timeoutSeconds,
        private readonly int $maxRetries,
        private readonly ?string $userAgent,
        private readonly ?\Closure $onRequest,
        private readonly ?\Closure $onResponse,
        private readonly Transport $transport,
        private readonly \Closure $sleep,
    ) {
    }

    /** @return array<string, mixed> What `var_dump` shows of it: not the key. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /**
     * @param array<string, mixed> $fields
     * @return array<string, mixed>|string
     */
    public function __invoke(string $verb, string $path, array $fields, ?CallOptions $options = null): array|string
    {
        $options ??= new CallOptions();
        $key = $options->key ?? $this->key;
        // The same over all attempts, which is why a purchase can be repeated.
        if ($verb === 'POST' && str_starts_with($path, 'purchase/') && ($fields['idempotency_key'] ?? '') === '') {
            $fields['idempotency_key'] = self::newKey();
        }
        $form = Form::of($fields);
        $base = rtrim($this->baseUrl ?? self::defaultAddress($key), '/');
        $query = Form::encoded($form);
        $url = "$base/$path" . ($verb === 'GET' && $query !== '' ? "?$query" : '');
        $body = $verb === 'GET' ? null : $query;
        $isRepeatable = self::isRepeatable($verb, $path, $form);
        $timeout = $options->timeoutSeconds ?? $this->timeoutSeconds;
        $headers = ['accept' => 'application/json', 'user-agent' => $this->userAgent()];
        if ($body !== null) {
            $headers['content-type'] = 'application/x-www-form-urlencoded';
        }
        if ($options->sandboxError !== null) {
            $headers['x-sandbox-error'] = $options->sandboxError;
        }
        $had500 = false;
        for ($retries = 0;; $retries += 1) {
            $request = new SentRequest($verb, $path, $url, $retries + 1, $form['idempotency_key'] ?? null, $headers);
            [$answer, $error, $retryAfter] = $this->attempt($request, $key, $base, $body, $timeout);
            if ($error === null) {
                return $answer;
            }
            $refused = $error instanceof WayfareError ? $error : null;
            $wait = Retry::secondsBefore(
                retries: $retries,
                maxRetries: $options->maxRetries ?? $this->maxRetries,
                had500: $had500,
                isRepeatable: $isRepeatable,
                httpStatus: $error->httpStatus,
                code: $refused?->errorCode,
                isSimulated: ($refused?->body['sandbox_simulated'] ?? false) === true,
                retryAfter: preg_match('/\A[0-9]{1,5}\z/', $retryAfter) === 1 ? (int) $retryAfter : null,
            );
            if ($wait === null) {
                throw $error;
            }
            $had500 = $had500 || $error->httpStatus === 500;
            ($this->sleep)($wait);
        }
    }

    /**
     * One attempt: its answer, or what it failed with and the `Retry-After` that came with it.
     *
     * @return array{mixed, WayfareError|WayfareConnectionError|null, string}
     */
    private function attempt(SentRequest $request, #[\SensitiveParameter] string $key, string $base, ?string $body, float $timeout): array
    {
        $began = hrtime(true);
        self::notify($this->onRequest, $request);
        $response = null;
        try {
            $headers = ['x-api-key' => $key] + $request->headers;
            $response = $this->transport->send(new HttpRequest($request->verb, $request->url, $headers, $body, $timeout));
            $ended = self::read($request, $base, $response);
        } catch (TransportFailed $failed) {
            $ended = [null, self::noAnswer($request, $timeout, $failed), ''];
        }
        self::notify($this->onResponse, new EndedRequest(
            $request,
            (hrtime(true) - $began) / 1_000_000,
            $response?->status,
            $response?->headers,
            $response?->headers['x-request-id'] ?? null,
            $response === null ? null : RateLimit::in($response->headers),
            $ended[1],
        ));
        return $ended;
    }

    /** @return array{mixed, WayfareError|WayfareConnectionError|null, string} */
    private static function read(SentRequest $request, string $base, HttpResponse $response): array
    {
        $isOk = $response->status >= 200 && $response->status < 300;
        // Bytes as they are, without the envelope.
        if ($isOk && preg_match('~\Aapplication/(pdf|xml)~', $response->headers['content-type'] ?? '') === 1) {
            return [$response->body, null, ''];
        }
        $data = json_decode($response->body, true, 512, JSON_INVALID_UTF8_SUBSTITUTE);
        $data = is_array($data) ? $data : [];
        self::warnOfIgnored(self::operation($request->path), $data['ignored'] ?? null);
        if ($isOk && ($data['result'] ?? null) === 'ok') {
            return [$data, null, ''];
        }
        $requestId = $response->headers['x-request-id'] ?? null;
        $retryAfter = $response->headers['retry-after'] ?? '';
        $code = $data['error'] ?? null;
        if (is_string($code)) {
            $kind = Contract::ERRORS[$code] ?? WayfareError::class;
            $error = new $kind($data, $request->path, $code, $response->status, $requestId, $request->idempotencyKey);
            return [null, $error, $retryAfter];
        }
        $error = new WayfareConnectionError(
            "$request->path: $response->status is not an answer of the API. Is $base its address?",
            httpStatus: $response->status,
            requestId: $requestId,
            idempotencyKey: $request->idempotencyKey,
        );
        return [null, $error, $retryAfter];
    }

    private static function noAnswer(SentRequest $request, float $timeout, TransportFailed $failed): WayfareConnectionError
    {
        $said = $failed->isTimeout ? 'no answer within ' . round($timeout * 1000) . ' ms' : 'the connection failed';
        return new WayfareConnectionError(
            "$request->path: $said",
            isTimeout: $failed->isTimeout,
            idempotencyKey: $request->idempotencyKey,
            previous: $failed,
        );
    }

    /** Errors thrown by a hook are logged: a bug in logging must not lose the answer of a purchase. */
    private static function notify(?\Closure $hook, object $about): void
    {
        try {
            if ($hook !== null) {
                $hook($about);
            }
        } catch (\Throwable $thrown) {
            error_log("A hook of the Wayfare client failed: $thrown");
        }
    }

    /**
     * A POST this SDK does not know is safe to repeat only because of its key.
     *
     * @param array<string, string> $form
     */
    private static function isRepeatable(string $verb, string $path, array $form): bool
    {
        $operation = self::operation($path);
        if ($verb === 'GET' || isset(Contract::REPEATABLE[$operation])) {
            return true;
        }
        return !isset(Contract::POSTS[$operation]) && ($form['idempotency_key'] ?? '') !== '';
    }

    /** `order/detail` of `order/detail/1001`. */
    private static function operation(string $path): string
    {
        return implode('/', array_slice(explode('/', $path), 0, 2));
    }

    private static function defaultAddress(string $key): string
    {
        return 'http://localhost:' . (str_starts_with($key, 'esk_test_') ? 4010 : 4020) . '/v3';
    }

    private function userAgent(): string
    {
        return ($this->userAgent === null ? '' : "$this->userAgent ") . 'wayfare-sdk-php/' . Contract::VERSION;
    }

    private static function newKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    /** Says once which fields the API did not know. Frameworks make an exception of a PHP warning, which would lose the answer. */
    private static function warnOfIgnored(string $path, mixed $ignored): void
    {
        foreach (is_array($ignored) ? $ignored : [] as $name) {
            if (is_string($name) && !isset(self::$warned[$name]) && count(self::$warned) < self::MAX_WARNED) {
                self::$warned[$name] = true;
                error_log('Wayfare: ' . $path . ' does not know the field ' . json_encode($name) . ' and ignored it.');
            }
        }
    }
}
