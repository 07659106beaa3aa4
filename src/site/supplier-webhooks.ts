import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, DAY, MINUTE } from '../clock.ts';
import type { Config } from '../config.ts';
import {
  readAiraloNotice,
  readEsimAccessNotice,
  readEsimGoNotice,
  readPartnerV3Notice,
  readZenditNotice,
  type SupplierNotice,
} from '../suppliers/suppliers.ts';
import { notFound, oneAtATime, page, type SiteRoute } from './routes.ts';

const TEXT = 'text/plain; charset=utf-8';
const MAX_BYTES = 64 * 1024;
/** The same notice within this time is ignored. */
const REPEATED_MS = 1 * MINUTE;
/** Events have names of their own, and are sent again for at most this long. */
const REPEATED_EVENT_MS = 1 * DAY;
const MAX_REMEMBERED = 10_000;
const ok = page(200, TEXT, 'ok\n');

export interface SupplierNews {
  readonly settings: Pick<Config, 'airalo' | 'esimAccess' | 'esimGo' | 'zendit' | 'partnerV3'>;
  readonly clock: Clock;
  /** Makes what the notice is about due for the jobs. `kind` is that of the suppliers it may speak for. */
  hear(kind: string, notice: SupplierNotice): Promise<void>;
}

/** Where suppliers send their notifications. They are hints: all they do is bring a reading, or a look at an order, forward. */
export function supplierRoutes({ settings, clock, hear }: SupplierNews): SiteRoute[] {
  const { airalo, esimAccess, esimGo, zendit, partnerV3 } = settings;
  // One queue each, so that notices which anyone can send do not crowd out signed ones.
  const turns = {
    airalo: oneAtATime(),
    esim_access: oneAtATime(),
    esim_go: oneAtATime(),
    zendit: oneAtATime(),
    partner_v3: oneAtATime(),
  };
  const heard = new Map<string, number>();

  /** `event`: its name, if it has one. */
  async function take(kind: keyof typeof turns, notice: SupplierNotice, event?: string): Promise<void> {
    if (notice.iccid === undefined && notice.supplierOrder === undefined) return;
    const name = `${kind} ${event ?? `${notice.iccid ?? ''} ${notice.supplierOrder ?? ''}`}`;
    const now = clock.now();
    const since = now - (event === undefined ? REPEATED_MS : REPEATED_EVENT_MS);
    if ((heard.get(name) ?? Number.NEGATIVE_INFINITY) > since) return;
    await turns[kind](() => hear(kind, notice));
    if (heard.size >= MAX_REMEMBERED) heard.clear();
    heard.set(name, now);
  }

  const routes: SiteRoute[] = [];
  if (airalo)
    routes.push(
      // Airalo asks for the address (HEAD) before it accepts it.
      { verb: 'GET', path: '/webhooks/airalo', handle: () => ok },
      {
        verb: 'POST',
        path: '/webhooks/airalo',
        async handle({ headers, body }) {
          const signature = headers['airalo-signature'];
          const signed = typeof signature === 'string' ? signature : undefined;
          const notice = readAiraloNotice(await body(MAX_BYTES), signed, airalo.clientSecret);
          if (!notice) return page(400, TEXT, 'bad signature\n');
          await take('airalo', notice);
          return ok;
        },
      },
    );
  if (esimAccess) {
    const { notifySecret } = esimAccess;
    routes.push({
      verb: 'POST',
      path: notifySecret === undefined ? '/webhooks/esim-access' : '/webhooks/esim-access/{secret}',
      async handle({ params, body }) {
        if (notifySecret !== undefined && !isSame(params.secret ?? '', notifySecret)) return notFound;
        await take('esim_access', readEsimAccessNotice(await body(MAX_BYTES)));
        return ok;
      },
    });
  }
  if (esimGo)
    routes.push({
      verb: 'POST',
      path: '/webhooks/esim-go',
      async handle({ headers, body }) {
        const signature = headers['x-signature-sha256'];
        const signed = typeof signature === 'string' ? signature : undefined;
        const notice = readEsimGoNotice(await body(MAX_BYTES), signed, esimGo.key);
        if (!notice) return page(400, TEXT, 'bad signature\n');
        await take('esim_go', notice);
        return ok;
      },
    });
  const zenditSecret = zendit?.notifySecret;
  if (zenditSecret !== undefined)
    routes.push(
      // Zendit asks for the address (HEAD) when it is entered.
      { verb: 'GET', path: '/webhooks/zendit', handle: () => ok },
      {
        verb: 'POST',
        path: '/webhooks/zendit',
        async handle({ headers, body }) {
          const token = headers['x-webhook-token'];
          if (!isSame(typeof token === 'string' ? token : '', zenditSecret)) return page(400, TEXT, 'wrong token\n');
          await take('zendit', readZenditNotice(await body(MAX_BYTES)));
          return ok;
        },
      },
    );
  const signing = new Map(
    partnerV3.flatMap(({ slug, secret }) => (secret === undefined ? [] : [[slug, secret] as const])),
  );
  if (signing.size > 0)
    routes.push({
      verb: 'POST',
      path: '/webhooks/partner-v3/{slug}',
      async handle({ params, headers, body }) {
        const slug = params.slug ?? '';
        const secret = signing.get(slug);
        if (secret === undefined) return notFound;
        const told = await readPartnerV3Notice(await body(MAX_BYTES), headers, secret, clock.now());
        if (!told) return page(400, TEXT, 'bad signature\n');
        await take('partner_v3', told.notice, `${slug} ${told.id}`);
        return ok;
      },
    });
  return routes;
}

/** Takes the same time whether the first or the last character differs. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(secret));
}
