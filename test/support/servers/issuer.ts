import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error It has no types of its own.
import untyped from 'oidc-provider';

/** What we use of it. */
interface Provider {
  Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> };
  use(step: (context: { path: string; body: unknown }, next: () => Promise<unknown>) => Promise<unknown>): void;
  callback(): (request: IncomingMessage, response: ServerResponse) => unknown;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<unknown>;
}
const Provider = untyped as new (url: string, settings: object) => Provider;

type Claims = Record<string, unknown>;
/** What a dishonest issuer, or somebody between it and us, makes of an ID token. */
type Tamper = (claims: Claims) => {
  readonly claims?: Claims;
  readonly header?: Claims;
  readonly isUnsigned?: true;
  readonly key?: KeyObject;
};

/** A real provider of OpenID Connect on this machine; who signs in there is whoever `who` says. */
export interface Issuer extends AsyncDisposable {
  /** host:port, as WEBHOOK_TRUSTED_HOSTS names it. */
  readonly host: string;
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  who: Claims & { readonly sub: string };
  tamper: Tamper | undefined;
  /** Takes another signing key; the old one is forgotten. */
  rotate(): void;
  /** What a browser does there: it follows the redirects, and returns the query it is sent back with. */
  visit(url: string): Promise<string>;
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export async function issuer(redirectUris: readonly string[]): Promise<Issuer> {
  const [clientId, clientSecret] = ['wayfare', 'a client secret that is long enough'];
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  let key: KeyObject;
  const server = createServer((request, response) => handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}`;

  function start(): void {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    key = pair.privateKey;
    const kid = `key-${Math.random()}`;
    const provider = new Provider(url, {
      clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }],
      jwks: { keys: [{ ...pair.privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }] } as never,
      cookies: { keys: ['a cookie key'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => self.who }),
      async loadExistingGrant({ oidc }: never) {
        const { provider, session, client } = oidc as {
          provider: Provider;
          session: { accountId: string };
          client: { clientId: string };
        };
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    } as never);
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string };
      if (!self.tamper || context.path !== '/token' || !body.id_token) return;
      const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString());
      const made = self.tamper(claims);
      const header = { alg: made.isUnsigned ? 'none' : 'RS256', kid, ...made.header };
      const text = `${part(header)}.${part(made.claims ?? claims)}`;
      const signature = createSign('RSA-SHA256')
        .update(text)
        .sign(made.key ?? key, 'base64url');
      context.body = { ...body, id_token: `${text}.${made.isUnsigned ? '' : signature}` };
    });
    const respond = provider.callback();
    handle = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void respond(request, response);
      void provider.interactionFinished(request, response, { login: { accountId: self.who.sub } });
    };
  }

  const self: Issuer = {
    host,
    url,
    clientId,
    clientSecret,
    who: { sub: 'nobody' },
    tamper: undefined,
    rotate: start,
    async visit(begin) {
      const jar = new Map<string, string>();
      for (let at = begin; ; ) {
        if (redirectUris.some((uri) => at.startsWith(`${uri}?`))) return new URL(at).search;
        const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
        const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const set of answer.headers.getSetCookie()) {
          const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
          jar.set(name, value);
        }
        const next = answer.headers.get('location');
        if (!next) throw new Error(`the issuer answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
        at = new URL(next, at).href;
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  start();
  return self;
}
