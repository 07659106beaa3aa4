<?php

declare(strict_types=1);

namespace Wayfare;

/** One HTTP exchange. Give the client your own to send requests through something other than ext-curl. */
interface Transport
{
    /** @throws TransportFailed if there was no answer; it says whether time ran out. Redirects must not be followed. */
    public function send(HttpRequest $request): HttpResponse;
}
