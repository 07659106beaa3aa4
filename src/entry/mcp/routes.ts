import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { KnownKey } from '../../domains/partners/keys/keys.ts';
import { Failure } from '../../platform/contract/failure.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { LargeBody } from '../../platform/http/large-body.ts';
import type { Base } from '../../worlds/base.ts';
import type { AnswerParts } from '../api/gates/answer.ts';
import { ApiRequest } from '../api/gates/api-request.ts';
import {
  ceilingOf,
  findKey,
  requireActivePartner,
  requireAllowedSource,
  requireKey,
  requireKeyOfHost,
  requireKnownKey,
  requireWithinLimit,
} from '../api/gates/gates.ts';
import { callApi, hostOf, innerRequest } from '../api/gates/inner-call.ts';
import { page, type SiteReply, type SiteRequest, type SiteRoute } from '../site/routes.ts';
import type { Agent, RefusalCode } from './tool.ts';

const MAX_BODY_BYTES = 64 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';
const PASSED_ON = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Sandbox keys work at /mcp. Live keys have their own address, so that no one spends money by mistake. */
const paths: Readonly<Record<Mode, string>> = { sandbox: '/mcp', live: '/mcp/live' };

/** Tools for agents over MCP's streamable HTTP, with an API key. */
export function mcpRoutes(base: Base, parts: AnswerParts): SiteRoute[] {
  // Loaded with the first request: most installations never use it.
  let loading: Promise<McpHttpHandler> | undefined;
  const handler = () => {
    loading ??= import('./serve.ts').then(({ serveTools }) => serveTools(base.config.site.name));
    return loading;
  };

  async function answer(mode: Mode, incoming: SiteRequest): Promise<SiteReply> {
    const { request, headers } = incoming;
    // Browsers send it with requests from another site. No page has a reason to call this address.
    if (headers.origin !== undefined && headers.origin !== base.config.panelUrl.origin)
      return rejection(403, 'cross_origin', 'Requests from other sites are refused.');
    // There are no sessions to end and no streams to open.
    if (request.method !== 'POST') return rejection(405, 'method_not_allowed', 'Requests are sent with POST.');
    const sent = await incoming.body(MAX_BODY_BYTES);
    const now = base.clock.now();
    const key = keyOf(headers);
    const address = parts.ground.clientAddress(request);
    const known = await requireCaller(parts, mode, { key, address, now });
    const agent: Agent = {
      base,
      key: known,
      now,
      async api(path, { param, fields = {} }) {
        const { status, body } = await callApi(parts, { mode, key, address, path, param, fields, now });
        // Only the export of the whole catalogue is that long, and no tool reads it.
        if (body instanceof LargeBody) throw new Error(`${path} is too long for a tool`);
        return { isError: status >= 400, body: JSON.parse(body.toString()) };
      },
    };
    const { fetch } = await handler();
    const answered = await fetch(
      new Request(base.config.panelUrl, { method: 'POST', headers: passedOn(headers), body: new Uint8Array(sent) }),
      { authInfo: { token: '', clientId: String(known.keyId), scopes: [], extra: { agent } } },
    );
    return page(
      answered.status,
      answered.headers.get('content-type') ?? JSON_TYPE,
      Buffer.from(await answered.arrayBuffer()),
    );
  }

  return (['sandbox', 'live'] as const).map((mode) => ({
    verb: 'any',
    path: paths[mode],
    async handle(incoming) {
      const began = base.clock.now();
      const reply = await answer(mode, incoming).catch((error) => {
        if (error instanceof Failure) return refusalOf(mode, error);
        throw error;
      });
      const ms = base.clock.now() - began;
      base.log.info(
        { host: 'panel', method: incoming.request.method, path: paths[mode], status: reply.status, ms },
        'request',
      );
      return reply;
    },
  }));
}

const passedOn = (headers: SiteRequest['headers']): Record<string, string> =>
  Object.fromEntries(PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));

/** The header of the API, or the one that agents' programs send by default. */
function keyOf(headers: SiteRequest['headers']): string {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own.trim() !== '') return own.trim();
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

/**
 * The gates of the API up to its endpoints. A tool passes all of them again, with the limits of what it calls. What an agent sends
 * is counted on its own, as often a minute as the key may read: listing the tools costs us as much as using one.
 */
async function requireCaller(
  { ground }: AnswerParts,
  mode: Mode,
  { key, address, now }: { key: string; address: string; now: number },
): Promise<KnownKey> {
  const req = new ApiRequest(innerRequest({ address, key }, 'POST'), hostOf(mode), '/', '', now);
  requireKeyOfHost(req);
  requireKey(req);
  const known = requireKnownKey(req, await findKey(ground, req));
  requireActivePartner(known);
  requireAllowedSource(ground, req, known);
  requireWithinLimit(req, await ground.limiter.take(`mcp:${known.keyId}`, 'read', ceilingOf(req), now));
  return known;
}

function refusalOf(mode: Mode, { status, code, extra }: Failure): SiteReply {
  if (code === 'rate_limited') {
    const seconds = String(extra.retry_after);
    return rejection(status, code, `Too many requests with this key. Try again in ${seconds} s.`, {
      'retry-after': seconds,
    });
  }
  const elsewhere = code === 'live_key_on_sandbox_host' || code === 'sandbox_key_on_live_host';
  const message = elsewhere
    ? `A ${mode === 'sandbox' ? 'live' : 'sandbox'} key works at ${paths[mode === 'sandbox' ? 'live' : 'sandbox']}, not here.`
    : 'Send a valid API key as X-API-Key or as a bearer token.';
  return rejection(status, code, message);
}

const rejection = (status: number, error: RefusalCode, message: string, headers = {}): SiteReply =>
  page(
    status,
    JSON_TYPE,
    JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32001, message, data: { error } } }),
    { ...headers, ...(status === 401 && { 'www-authenticate': 'Bearer' }), ...(status === 405 && { allow: 'POST' }) },
  );
