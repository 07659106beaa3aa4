import type { KeyDirectory, KnownKey } from '../../../domains/partners/keys/keys.ts';
import { DAY, SECOND } from '../../../platform/clock.ts';
import { fail } from '../../../platform/contract/failure.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import { isSame } from '../../../platform/vault/secrets.ts';
import type { Reply } from '../endpoint.ts';
import type { ApiRequest } from '../gates/api-request.ts';
import {
  type Ground,
  requireActivePartner,
  requireAllowedSource,
  requireKnownKey,
  requireWithinLimit,
} from '../gates/gates.ts';
import { requireVerb } from '../gates/route.ts';
import { badField, ok, refused, wrongSecret } from './answers.ts';
import { airalo } from './endpoint.ts';
import { isSignedWith, type Payload } from './payload.ts';

export interface DoorParts {
  /** Keys by their client ids. */
  readonly clients: KeyDirectory;
  readonly vault: Vault;
}

const LIFE_SECONDS = DAY / SECOND;
/** Airalo issues at most three a minute. */
const TOKENS_A_MINUTE = 3;
const PURPOSE = 'airalo token';

/** Answered before the other gates: it is what they ask for. */
export const TOKEN = airalo({
  verb: 'POST',
  path: '/token',
  tier: 'read',
  permission: 'webhooks',
  fields: ['client_id', 'client_secret', 'grant_type'],
  handle: async () => {
    throw fail('unknown_endpoint');
  },
});

/**
 * A token is the client id and its end, signed. It holds nothing of the key, which is looked up with every call: so a token carries exactly
 * what the key may do, and ends with it.
 */
function tokenFor(vault: Vault, clientId: string, endsAt: number): string {
  const text = `${clientId}.${Math.floor(endsAt / SECOND).toString(36)}`;
  return `wfb_${text}.${vault.sign(PURPOSE, text)}`;
}

/** The client that a token of ours names; undefined: it is not ours, or it is over. */
export function clientOfToken(vault: Vault, token: string, now: number): string | undefined {
  const [, text = '', clientId, end = '', signature = ''] =
    /^wfb_((\w{32})\.(\w{1,9}))\.([0-9a-f]{64})$/.exec(token) ?? [];
  if (!vault.verify(PURPOSE, text, signature)) return undefined;
  return Number.parseInt(end, 36) * SECOND > now ? clientId : undefined;
}

/** Counted by client and address, so that a stranger who knows a client id cannot use up its tokens. */
export async function issueToken(
  { clients, vault, ground }: DoorParts & { readonly ground: Ground },
  req: ApiRequest,
  payload: Payload,
): Promise<Reply> {
  const { client_id: given, client_secret: secret, grant_type: grant } = payload;
  requireVerb(TOKEN, req.method);
  const address = ground.clientAddress(req.incoming);
  const known = typeof given === 'string' ? await clients.find(given) : undefined;
  const quota = `airalo:${known?.keyId ?? 'unknown'}:${address}` as const;
  requireWithinLimit(req, await ground.limiter.take(quota, 'read', TOKENS_A_MINUTE, req.now));
  if (typeof given !== 'string' || !known?.clientSecret)
    throw badField('client_id', 'The selected client id is invalid.', 'invalid_api_key');
  const right = vault.open(known.clientSecret);
  if (typeof secret !== 'string' || !isSame(right, secret) || grant !== 'client_credentials') throw wrongSecret();
  const key = requireClient(ground, req, known);
  requireSignature(vault, req, key, payload);
  const endsAt = Math.min(req.now + LIFE_SECONDS * SECOND, key.expiresAt ?? Number.POSITIVE_INFINITY);
  return ok({ token_type: 'Bearer', expires_in: LIFE_SECONDS, access_token: tokenFor(vault, given, endsAt) });
}

/** The two environments have addresses of their own; Airalo's mode is a setting of the account. */
export function requireClient(ground: Ground, req: ApiRequest, known: KnownKey | undefined): KnownKey {
  const key = requireKnownKey(req, known);
  const { mode } = key;
  if (req.host.environment !== mode)
    throw fail(mode === 'live' ? 'live_key_on_sandbox_host' : 'sandbox_key_on_live_host');
  requireActivePartner(key);
  requireAllowedSource(ground, req, key);
  return key;
}

/** Airalo's documents do not send one, so it may be missing. */
export function requireSignature(vault: Vault, { incoming }: ApiRequest, key: KnownKey, payload: Payload): void {
  const sent = incoming.headers['airalo-signature'];
  if (typeof sent !== 'string' || sent === '' || !key.clientSecret) return;
  if (!isSignedWith(vault.open(key.clientSecret), payload, sent))
    throw refused(14, 'Invalid checksum: the signature does not fit the payload', 'malformed_request');
}
