<?php

declare(strict_types=1);

namespace Wayfare;

/** Keeps its connections open between calls. Proxies are taken from the environment, as curl does. */
final class CurlTransport implements Transport
{
    private ?\CurlHandle $handle = null;

    public function send(HttpRequest $request): HttpResponse
    {
        $curl = $this->handle ??= curl_init() ?: throw new TransportFailed('curl could not be started');
        curl_reset($curl);
        $headers = [];
        // Without it curl would hold back a long form until the server agrees to it.
        $lines = ['Expect:'];
        foreach ($request->headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        $timeoutMs = max(1, (int) round($request->timeoutSeconds * 1000));
        $settings = [
            CURLOPT_URL => $request->url,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_RETURNTRANSFER => true,
            // A redirect would carry the key to another address.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => $timeoutMs,
            CURLOPT_CONNECTTIMEOUT_MS => $timeoutMs,
            // Times below a second need it.
            CURLOPT_NOSIGNAL => true,
            // Whatever compression curl can read.
            CURLOPT_ENCODING => '',
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$headers): int {
                [$name, $value] = explode(':', $line, 2) + [1 => null];
                if (str_starts_with($line, 'HTTP/')) {
                    // An interim answer comes before the one that counts.
                    $headers = [];
                } elseif ($value !== null) {
                    $name = strtolower(trim($name));
                    $headers[$name] = isset($headers[$name]) ? $headers[$name] . ', ' . trim($value) : trim($value);
                }
                return strlen($line);
            },
        ];
        if ($request->body !== null) {
            $settings += [CURLOPT_POST => true, CURLOPT_POSTFIELDS => $request->body];
        }
        curl_setopt_array($curl, $settings);
        $body = curl_exec($curl);
        if (!is_string($body)) {
            throw new TransportFailed(curl_error($curl), curl_errno($curl) === CURLE_OPERATION_TIMEDOUT);
        }
        return new HttpResponse((int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $headers, $body);
    }
}
