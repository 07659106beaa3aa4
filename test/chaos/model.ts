import type { Account, Possible } from './possible.ts';
import { requireThat } from './violation.ts';

/**
 * What the installation must look like from outside, written from the contract and not from the code: nothing here imports
 * `src/`. Money is in whole cents.
 */
export type WorldName = 'live' | 'sandbox';
export type State = 'open' | 'delivered' | 'failed';
export const behaviours = ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break'] as const;
export type Behaviour = (typeof behaviours)[number];

export interface Product {
  readonly alias: string;
  readonly costMicros: number;
  readonly amountMb: number;
  readonly list: Possible<number>;
  readonly onSale: Possible<boolean>;
  readonly behaviour: Possible<Behaviour>;
}

export interface ApiKey {
  readonly id: number;
  readonly key: string;
  readonly revoked: Possible<boolean>;
}

export interface Partner {
  readonly id: number;
  /** Percent of the margin given as a discount; fixed, so that no tier applies. */
  readonly marginShare: number;
  /** Percent of the cost of unused data. */
  readonly revenueShare: number;
  readonly billing: Possible<'prepaid' | 'postpaid'>;
  readonly creditLimit: Possible<number>;
  readonly suspended: Possible<boolean>;
  readonly wallet: Account;
  readonly debt: Account;
  readonly sandbox: Account;
  /** Every key there ever was, the newest last. */
  readonly keys: Readonly<Record<WorldName, ApiKey[]>>;
  /** Sandbox purchases may have met a full queue, so their events may be missing. */
  queueWasFull: boolean;
}

export interface Order {
  readonly id: number;
  readonly world: WorldName;
  readonly partner: Partner;
  readonly product: Product;
  readonly key: string | undefined;
  readonly list: number;
  readonly price: number;
  readonly billing: 'prepaid' | 'postpaid';
  readonly round: number;
  readonly boughtAt: number;
  state: State;
  reason: string;
  /** Took money when it was bought, whether or not that went back. */
  readonly wasPaid: boolean;
  refunded: number;
  /** The supplier may have refused it, or the operator may have given it up. */
  mayFail: boolean;
  /** Its `order.deferred` must arrive. */
  wasDeferred: boolean;
  /** A reset has deleted it. */
  deleted: boolean;
  /** A sandbox order waits for its minute: no, perhaps, or certainly over. */
  minuteIsOver: 'no' | 'perhaps' | 'yes';
  esim: string | undefined;
  iccid: string | undefined;
  scenario: { readonly name: string; readonly usage: string } | undefined;
  /** Data used, as the supplier may report it; set once. */
  used: number[];
  share: number | undefined;
}

export interface Topup {
  readonly key: string;
  readonly world: WorldName;
  readonly partner: Partner;
  readonly amount: number;
  paid: 'no' | 'perhaps' | 'yes';
  credited: boolean;
}

/** A movement the operator makes, recognised by its note. */
export interface Movement {
  readonly note: string;
  readonly partner: Partner;
  outcome: 'made' | 'refused' | 'unknown';
  /** Changes the model once the movement is seen. */
  apply(): void;
}

/** A purchase without a key whose answer was lost: there is an order of it, or there is not. */
export interface Stray {
  readonly world: WorldName;
  readonly partner: Partner;
  readonly product: Product;
  readonly scenario: Order['scenario'];
}

export class Model {
  readonly partners: Partner[] = [];
  readonly products: Product[] = [];
  readonly orders = new Map<string, Order>();
  readonly topups = new Map<string, Topup>();
  /** Which order an idempotency key belongs to. */
  readonly keys = new Map<string, Order>();
  movements: Movement[] = [];
  strays: Stray[] = [];
  /** Sandboxes reset in this round. */
  readonly resets = new Set<Partner>();
  round = 0;
  /** This round breaks something. */
  faulted = false;
  #atClose: (() => void)[] = [];

  order(world: WorldName, id: number): Order | undefined {
    return this.orders.get(`${world} ${id}`);
  }

  get isReplacingKeys(): boolean {
    return this.partners.some(({ keys }) => [...keys.live, ...keys.sandbox].some(({ revoked }) => revoked.isChanging));
  }

  ordersOf(partner: Partner, world: WorldName): Order[] {
    return [...this.orders.values()].filter((one) => one.partner === partner && one.world === world && !one.deleted);
  }

  keyed(partner: Partner, world: WorldName, key: string): Order | undefined {
    return this.keys.get(`${world} ${partner.id} ${key}`);
  }

  add(order: Order): void {
    const taken = order.key === undefined ? undefined : this.keyed(order.partner, order.world, order.key);
    requireThat(!taken, `two orders under one key: ${taken?.id} and ${order.id}`);
    this.orders.set(`${order.world} ${order.id}`, order);
    if (order.key !== undefined) this.keys.set(`${order.world} ${order.partner.id} ${order.key}`, order);
  }

  /** A reset deletes the order and frees its key. */
  forget(order: Order): void {
    order.deleted = true;
    if (order.key !== undefined) this.keys.delete(`${order.world} ${order.partner.id} ${order.key}`);
  }

  /** To be checked when all that happened in this round is known. */
  atClose(check: () => void): void {
    this.#atClose.push(check);
  }

  close(): void {
    for (const check of this.#atClose.splice(0)) check();
    for (const { wallet, debt, sandbox } of this.partners) for (const one of [wallet, debt, sandbox]) one.close();
    this.movements = [];
    this.strays = [];
    this.resets.clear();
  }
}

/** List price less the partner's share of the margin, half up to a cent and never below cost. */
export function partnerPrice(list: number, costMicros: number, sharePct: number): number {
  const margin = BigInt(list) * 10_000n - BigInt(costMicros);
  if (margin <= 0n) return list;
  const exact = BigInt(list) * 1_000_000n - margin * BigInt(sharePct);
  const lowest = Math.ceil(costMicros / 10_000);
  return Math.max(lowest, Number((exact + 500_000n) / 1_000_000n));
}

/** The partner's share of what the unused data cost, within what the cap of 60 % leaves beside the discount. */
export function revenueShare({ partner, product, list, price }: Order, usedMb: number): number {
  const { amountMb, costMicros } = product;
  const unused = BigInt(amountMb - usedMb);
  const scale = BigInt(amountMb) * 1_000_000n;
  const agreed = Number((BigInt(costMicros) * unused * BigInt(partner.revenueShare) * 2n + scale) / (2n * scale));
  const room = Math.max(0, Math.floor(((list * 10_000 - costMicros) * 60) / 1_000_000) - (list - price));
  return Math.min(agreed, room);
}
