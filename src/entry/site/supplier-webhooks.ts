import {
  type AccountValues,
  type SupplierAccounts,
  type SupplierNotice,
  supplierNotices,
} from '../../domains/supply/supply.ts';
import { type Clock, DAY, MINUTE } from '../../platform/clock.ts';
import type { Config } from '../../platform/settings/config.ts';
import { isSame } from '../../platform/vault/secrets.ts';
import { notFound, oneAtATime, page, type SiteReply, type SiteRequest, type SiteRoute } from './routes.ts';

const TEXT = 'text/plain; charset=utf-8';
const MAX_BYTES = 64 * 1024;
/** The same notice within this time is ignored. */
const REPEATED_MS = 1 * MINUTE;
/** Events have names of their own, and are sent again for at most this long. */
const REPEATED_EVENT_MS = 1 * DAY;
const MAX_REMEMBERED = 10_000;
const ok = page(200, TEXT, 'ok\n');
const badSignature = page(400, TEXT, 'bad signature\n');

interface SupplierNews {
  readonly settings: Pick<Config, 'airalo' | 'esimAccess' | 'esimGo' | 'zendit' | 'partnerV3'>;
  readonly accounts: Pick<SupplierAccounts, 'values'>;
  readonly clock: Clock;
  /** Makes the notice's eSIM or order due for the jobs. `kind` is that of the suppliers the sender may represent. */
  onNotice(kind: string, notice: SupplierNotice): Promise<void>;
}

/** What a notification says; `event`: its name, if it has one. */
interface Notification {
  readonly notice: SupplierNotice;
  readonly event?: string;
}

interface Receiver {
  /** The supplier requests the address (HEAD) before it accepts it. */
  readonly isProbed?: true;
  /** A reply refuses the notification; undefined: this account receives none. `secret` is the last segment of the address. */
  read(
    request: SiteRequest,
    account: AccountValues,
    secret: string,
    now: number,
  ): Promise<Notification | SiteReply | undefined>;
}

const receivers = {
  airalo: {
    isProbed: true,
    async read({ headers, body }, { client_secret = '' }) {
      const notice = supplierNotices.airalo(await body(MAX_BYTES), textIn(headers['airalo-signature']), client_secret);
      return notice ? { notice } : badSignature;
    },
  },
  esim_access: {
    async read({ headers, body }, { notify_secret }, inAddress) {
      // Proxies log addresses, and no passwords.
      const secret = inAddress || passwordIn(headers.authorization);
      if (notify_secret === undefined ? inAddress !== '' : !isSame(secret, notify_secret)) return undefined;
      return { notice: supplierNotices.esimAccess(await body(MAX_BYTES)) };
    },
  },
  esim_go: {
    async read({ headers, body }, { key = '' }, _path, now) {
      const notice = supplierNotices.esimGo(await body(MAX_BYTES), textIn(headers['x-signature-sha256']), key, now);
      return notice ? { notice } : badSignature;
    },
  },
  zendit: {
    isProbed: true,
    async read({ headers, body }, { notify_secret }) {
      if (notify_secret === undefined) return undefined;
      if (!isSame(textIn(headers['x-webhook-token']) ?? '', notify_secret)) return page(400, TEXT, 'wrong token\n');
      return { notice: supplierNotices.zendit(await body(MAX_BYTES)) };
    },
  },
  partner_v3: {
    async read({ headers, body }, { secret }, _path, now) {
      if (secret === undefined) return undefined;
      const read = await supplierNotices.partnerV3(await body(MAX_BYTES), headers, secret, now);
      return read ? { notice: read.notice, event: read.id } : badSignature;
    },
  },
} as const satisfies Readonly<Record<string, Receiver>>;

type Kind = keyof typeof receivers;

/**
 * Where suppliers send their notifications. They bring forward a reading or the next attempt at an order, and some report on an eSIM on
 * the phone. An account of the environment that is the only one of its kind has the address of the kind; every other has its slug in
 * it.
 */
export function supplierRoutes({ settings, accounts, clock, onNotice }: SupplierNews): SiteRoute[] {
  // One queue each, so that notices which anyone can send do not crowd out signed ones.
  const turns = new Map(Object.keys(receivers).map((kind) => [kind, oneAtATime()]));
  const handledAt = new Map<string, number>();

  async function take(kind: Kind, slug: string, { notice, event }: Notification): Promise<void> {
    if (notice.iccid === undefined && notice.supplierOrder === undefined) return;
    // Where a notice has no time of its own, the time at which it arrived does not make it another one.
    const { iccid, supplierOrder, profile } = notice;
    const said = JSON.stringify([iccid, supplierOrder, profile && { ...profile, seenAt: undefined }]);
    const name = `${kind} ${slug} ${event ?? said}`;
    const now = clock.now();
    const since = now - (event === undefined ? REPEATED_MS : REPEATED_EVENT_MS);
    if ((handledAt.get(name) ?? Number.NEGATIVE_INFINITY) > since) return;
    await turns.get(kind)?.(() => onNotice(kind, notice));
    if (handledAt.size >= MAX_REMEMBERED) handledAt.clear();
    handledAt.set(name, now);
  }

  /** `slug` is '' for an account that has the address of its kind. */
  async function receive(kind: Kind, slug: string, secret: string, request: SiteRequest): Promise<SiteReply> {
    const account = inEnvironment(settings, kind, slug) ?? (slug && (await accounts.values(kind, slug)));
    const received = account && (await receivers[kind].read(request, account, secret, clock.now()));
    if (!received) return notFound;
    if ('status' in received) return received;
    await take(kind, slug, received);
    return ok;
  }

  async function isThere(kind: Kind, slug: string): Promise<SiteReply> {
    const account = inEnvironment(settings, kind, slug) ?? (slug && (await accounts.values(kind, slug)));
    return account && (kind !== 'zendit' || account.notify_secret !== undefined) ? ok : notFound;
  }

  return (Object.keys(receivers) as Kind[]).flatMap((kind): SiteRoute[] => {
    const path = `/webhooks/${kind.replaceAll('_', '-')}`;
    const receiver: Receiver = receivers[kind];
    const at = (address: string, handle: SiteRoute['handle']): SiteRoute => ({ verb: 'POST', path: address, handle });
    const probed = (address: string): SiteRoute[] =>
      receiver.isProbed
        ? [{ verb: 'GET', path: address, handle: ({ params }) => isThere(kind, params.slug ?? '') }]
        : [];
    const { notifySecret } = settings.esimAccess ?? {};
    return [
      ...probed(path),
      ...probed(`${path}/{slug}`),
      at(path, (request) => receive(kind, '', '', request)),
      at(`${path}/{slug}`, (request) => {
        const { slug = '' } = request.params;
        // eSIM Access signs nothing, so the address of the environment's account may end in a secret.
        const isSecret = kind === 'esim_access' && notifySecret !== undefined && isSame(slug, notifySecret);
        return isSecret ? receive(kind, '', slug, request) : receive(kind, slug, '', request);
      }),
      ...(kind === 'esim_access'
        ? [
            at(`${path}/{slug}/{secret}`, (request) =>
              receive(kind, request.params.slug ?? '', request.params.secret ?? '', request),
            ),
          ]
        : []),
    ];
  });
}

/** The account of the environment at this address, by the names of its fields. */
function inEnvironment(settings: SupplierNews['settings'], kind: Kind, slug: string): AccountValues | undefined {
  if (kind === 'partner_v3') {
    const found = settings.partnerV3.find((one) => one.slug === slug);
    return found && { ...(found.secret === undefined ? {} : { secret: found.secret }) };
  }
  if (slug !== '') return undefined;
  const { airalo, esimAccess, esimGo, zendit } = settings;
  const notified = (of: { notifySecret?: string | undefined } | undefined) =>
    of && (of.notifySecret === undefined ? {} : { notify_secret: of.notifySecret });
  return {
    airalo: airalo && { client_secret: airalo.clientSecret },
    esim_access: notified(esimAccess),
    esim_go: esimGo && { key: esimGo.key },
    zendit: notified(zendit),
  }[kind];
}

const textIn = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : undefined;

/** Of `https://user:password@host/…`, which clients send as basic authentication; '' if there is none. */
function passwordIn(authorization: string | undefined): string {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? [];
  const [, ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return password.join(':');
}
