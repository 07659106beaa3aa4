<?php

declare(strict_types=1);

namespace Wayfare;

/** The API, grouped as its paths are: `$wayfare->purchase->buy([…])` sends POST `purchase/buy`. */
final class Wayfare
{
    /** Words between slashes. Dots alone would lead out of the API's address. */
    private const PATH = '~\A\w+(/(?!\.+(/|\z))[\w.\~%-]+)*\z~';

    /** What is sold, and for how much. */
    public readonly Calls\CatalogCalls $catalog;
    /** Buying and refilling. */
    public readonly Calls\PurchaseCalls $purchase;
    /** What was bought, its usage, and refunds. */
    public readonly Calls\OrderCalls $order;
    /** The eSIMs you sold. */
    public readonly Calls\EsimCalls $esim;
    /** Money, prices and the sandbox's balance. */
    public readonly Calls\AccountCalls $account;
    /** Invoices and credit notes. */
    public readonly Calls\InvoiceCalls $invoice;
    /** Subscriptions and their deliveries. */
    public readonly Calls\WebhookCalls $webhook;
    /** The sandbox's clock, and the phones of its eSIMs. */
    public readonly Calls\SandboxCalls $sandbox;
    private readonly Sender $send;

    /**
     * @param string|null $key Your API key. One that begins with `esk_test_` works in the sandbox. Keep it on your server.
     * @param string|null $baseUrl The API's address, up to and including `/v3`. By default that of a server on this machine.
     * @param float $timeoutSeconds How long one attempt may take.
     * @param int $maxRetries How often a call is sent again after a failure that may pass; 0 turns retries off.
     * @param string|null $userAgent The name of your program, put before the SDK's own: `shop/1.4`.
     * @param (\Closure(SentRequest): mixed)|null $onRequest Called before every attempt. It never sees the key.
     * @param (\Closure(EndedRequest): mixed)|null $onResponse Called after every attempt, whether it succeeded or failed.
     * @param Transport|null $transport Sends the requests; by default ext-curl.
     * @param (\Closure(float): mixed)|null $sleep Waits for so many seconds between two attempts; by default `usleep`.
     */
    public function __construct(
        #[\SensitiveParameter] ?string $key,
        ?string $baseUrl = null,
        float $timeoutSeconds = 30.0,
        int $maxRetries = 3,
        ?string $userAgent = null,
        ?\Closure $onRequest = null,
        ?\Closure $onResponse = null,
        ?Transport $transport = null,
        ?\Closure $sleep = null,
    ) {
        if ($key === null || $key === '') {
            throw new \InvalidArgumentException("Wayfare needs an API key: new Wayfare(getenv('WAYFARE_KEY') ?: null), not empty");
        }
        $this->send = new Sender(
            $key,
            $baseUrl === '' ? null : $baseUrl,
            $timeoutSeconds,
            $maxRetries,
            $userAgent,
            $onRequest,
            $onResponse,
            $transport ?? new CurlTransport(),
            $sleep ?? static fn (float $seconds) => usleep((int) ($seconds * 1_000_000)),
        );
        $this->catalog = new Calls\CatalogCalls($this->send);
        $this->purchase = new Calls\PurchaseCalls($this->send);
        $this->order = new Calls\OrderCalls($this->send);
        $this->esim = new Calls\EsimCalls($this->send);
        $this->account = new Calls\AccountCalls($this->send);
        $this->invoice = new Calls\InvoiceCalls($this->send);
        $this->webhook = new Calls\WebhookCalls($this->send);
        $this->sandbox = new Calls\SandboxCalls($this->send);
    }

    /**
     * Sends any call, for what is newer than this SDK: `$wayfare->request('GET', 'order/detail/1001', ['lang' => 'de'])`. Retries,
     * errors and hooks are those of the methods. A POST that this SDK does not know is repeated only if it has an
     * `idempotency_key`; one below `purchase/` gets a key if you give none.
     *
     * @param array<string, mixed> $fields
     * @return array<string, mixed>|string The bytes of a file are a string.
     */
    public function request(string $verb, string $path, array $fields = [], ?CallOptions $options = null): array|string
    {
        $below = preg_replace('~\A/~', '', $path) ?? '';
        if (preg_match(self::PATH, $below) !== 1) {
            throw new \InvalidArgumentException("\"$path\" is not a path like order/detail/1001, with the rest in fields");
        }
        if ($verb !== 'GET' && $verb !== 'POST') {
            throw new \InvalidArgumentException("\"$verb\" is neither GET nor POST");
        }
        return ($this->send)($verb, $below, $fields, $options);
    }
}
