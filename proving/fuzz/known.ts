import type { Dice } from '../chaos/dice.ts';

/** What can be named in a request, by what it is. */
export const kinds = [
  'product',
  'order',
  'iccid',
  'batch',
  'payment',
  'subscription',
  'delivery',
  'version',
  'reference',
  'idempotency',
  'country',
  'etag',
  'request',
  'partner',
  'key',
  'member',
  'secret',
  'link',
  'page',
  'id',
] as const;
export type Kind = (typeof kinds)[number];

const KEPT = 300;
/** An answer with more values than this is only read so far. */
const MOST_READ = 400;

/** Where a value of this name is found, whatever object it is in. */
const BY_NAME: Readonly<Record<string, Kind>> = {
  order_id: 'order',
  product_id: 'product',
  iccid: 'iccid',
  batch_id: 'batch',
  payment_key: 'payment',
  client_secret: 'secret',
  subscription_id: 'subscription',
  version: 'version',
  reference: 'reference',
  country_code: 'country',
  request_id: 'request',
  partner_id: 'partner',
  key_id: 'key',
  member_id: 'member',
  share_url: 'page',
  link: 'link',
};

/** What an `id` is, by the list or block it is in. */
const BY_HOLDER: Readonly<Record<string, Kind>> = {
  orders: 'order',
  order: 'order',
  products: 'product',
  product: 'product',
  subscriptions: 'subscription',
  subscription: 'subscription',
  webhooks: 'subscription',
  deliveries: 'delivery',
  keys: 'key',
  members: 'member',
  partners: 'partner',
  countries: 'country',
};

/** The things of earlier answers, for later requests. The newest replace the oldest. */
export class Known {
  readonly #pools = new Map<Kind, string[]>(kinds.map((kind) => [kind, []]));
  readonly #next = new Map<Kind, number>();

  add(kind: Kind, value: string): void {
    const pool = this.#pools.get(kind) as string[];
    if (value === '' || pool.includes(value)) return;
    if (pool.length < KEPT) pool.push(value);
    else {
      const at = this.#next.get(kind) ?? 0;
      pool[at] = value;
      this.#next.set(kind, (at + 1) % KEPT);
    }
  }

  /** One of them; undefined when there are none yet. */
  one(dice: Dice, kind: Kind): string | undefined {
    const pool = this.#pools.get(kind) as string[];
    return pool.length === 0 ? undefined : dice.of(pool);
  }

  /** Takes in every value that can be named. */
  read(body: unknown): void {
    this.#walk(body, '', { left: MOST_READ });
  }

  #walk(value: unknown, holder: string, budget: { left: number }): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (budget.left-- <= 0) return;
      if (typeof inner === 'object') this.#walk(inner, Array.isArray(value) ? holder : name, budget);
      else if (typeof inner === 'string' || typeof inner === 'number') {
        const kind = BY_NAME[name] ?? (name === 'id' ? (BY_HOLDER[holder] ?? 'id') : undefined);
        if (kind && String(inner).length < 400) this.add(kind, String(inner));
      }
    }
  }
}
