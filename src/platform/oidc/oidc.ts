import type { Configuration } from 'openid-client';
import { MINUTE } from '../clock.ts';
import { Refused } from '../contract/refused.ts';
import type { Log } from '../log.ts';
import type { Vault } from '../vault/secrets.ts';

/*
 * OpenID Connect, as far as a sign-in needs it: authorization code with PKCE, state and nonce. What we need to remember between the
 * two halves is sealed in a cookie, so a sign-in that somebody else began does not end in this browser, and strangers leave no rows.
 *
 * The ID token's signature is always checked, although it comes from the issuer's own address: `openid-client` leaves that out unless
 * asked. The issuer's description and keys are fetched for every sign-in, so keys may rotate at any time. `openid-client` is loaded
 * with the first sign-in.
 */

const TICKET_MS = 10 * MINUTE;

/** A client's registration at an issuer, and where the issuer sends people back to: nobody else's address, so answers of two issuers cannot be mixed up. */
export interface Registration {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: URL;
}

/** Who somebody is, in the words of an issuer. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined unless the issuer says that it has verified it. */
  readonly email: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

interface OidcParts {
  readonly vault: Vault;
  readonly log: Log;
  /** Only to addresses that we may call, with a limit of time and length. */
  readonly fetch: (url: string, init: object) => Promise<Response>;
}

interface Ticket {
  readonly of: string;
  readonly until: number;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const library = () => import('openid-client');

/** Where to send the browser, and the ticket it has to come back with. `of`: at whose sign-in; a ticket is good for no other. */
export async function beginSignIn(
  parts: OidcParts,
  of: string,
  registration: Registration,
  now: number,
  isAgain = false,
): Promise<{ readonly url: string; readonly ticket: string }> {
  return explained(parts.log, async () => {
    const client = await library();
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const url = client.buildAuthorizationUrl(await configured(parts, registration), {
      redirect_uri: registration.redirectUri.href,
      scope: 'openid email profile',
      response_type: 'code',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...(isAgain && { prompt: 'login' }),
    });
    // The page goes there, and it is the issuer who names it.
    if (!['https:', issuerProtocol(registration)].includes(url.protocol)) throw new Error('not a web address');
    const ticket: Ticket = { of, until: now + TICKET_MS, state, nonce, verifier };
    return { url: url.href, ticket: parts.vault.seal(JSON.stringify(ticket)).toString('base64url') };
  });
}

/** Who came back. `answer` is the query the issuer sent them with. */
export async function finishSignIn(
  parts: OidcParts,
  of: string,
  registration: Registration,
  sent: { readonly ticket: string; readonly answer: string },
  now: number,
): Promise<Identity> {
  const ticket = opened(parts.vault, sent.ticket);
  if (!ticket || ticket.of !== of || ticket.until <= now) throw new Refused('sso_begin_again');
  return explained(parts.log, async () => {
    const client = await library();
    const back = new URL(registration.redirectUri);
    back.search = new URLSearchParams(sent.answer).toString();
    const tokens = await client.authorizationCodeGrant(await configured(parts, registration), back, {
      pkceCodeVerifier: ticket.verifier,
      expectedState: ticket.state,
      expectedNonce: ticket.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('no ID token');
    const { iss, sub, email, email_verified: isVerified } = claims;
    const address = typeof email === 'string' && isVerified === true ? email : undefined;
    return { issuer: iss, subject: sub, email: address, claims };
  });
}

async function configured(
  { fetch }: OidcParts,
  { issuer, clientId, clientSecret }: Registration,
): Promise<Configuration> {
  const client = await library();
  return client.discovery(issuer, clientId, undefined, client.ClientSecretBasic(clientSecret), {
    [client.customFetch]: fetch as never,
    // The guard allows http only to hosts that the operator trusts.
    execute: [
      client.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
}

const issuerProtocol = ({ issuer }: Registration): string => issuer.protocol;

/** Undefined for what was not sealed by us, or with a secret that has been rotated out. */
function opened(vault: Vault, sealed: string): Ticket | undefined {
  try {
    return JSON.parse(vault.open(Buffer.from(sealed, 'base64url')));
  } catch {
    return undefined;
  }
}

/** What an issuer answers is not shown to people, and only its code gets into the log: it may have anything in it. */
async function explained<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { name, code } = error as { name?: string; code?: string };
    log.warn({ error: name, code }, 'a single sign-on failed');
    throw new Refused('sso_failed');
  }
}
