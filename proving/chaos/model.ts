import { Living } from './living.ts';
import type { Account, Possible } from './possible.ts';
import type {
  Asked,
  Batch,
  Decided,
  Item,
  Movement,
  Replacement,
  Rule,
  Ruling,
  StockImport,
  Stray,
  Topup,
} from './records.ts';
import { requireThat } from './violation.ts';

/**
 * What the installation must look like from outside, written from the contract and not from the code: nothing here imports
 * `src/`. Money is in whole cents.
 */
export type WorldName = 'live' | 'sandbox';
export type State = 'open' | 'delivered' | 'failed';
export type RefundStatus = 'none' | 'requested' | 'refunded' | 'rejected';
export type CancelStatus = 'none' | 'requested' | 'cancelled' | 'too_late';
export const behaviours = ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break'] as const;
export type Behaviour = (typeof behaviours)[number];

/** How long the breaker of a silent supplier stays open. */
const SILENCE_MS = 60_000;
/** How long a reading of usage that a fault interrupted may keep others waiting. */
const READING_MS = 10_000;

export interface Product {
  readonly alias: string;
  readonly destination: string;
  readonly supplier: string;
  /** The supplier's own name for it. */
  readonly code: string;
  /** Sold from eSIMs bought in advance. */
  readonly isStock: boolean;
  /** The suppliers tried when its own supplier certainly has not taken the order. */
  readonly alternates: Product[];
  /** Of a refill: the plans whose eSIMs it fits. */
  readonly fits?: readonly Product[];
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

export const permissions = ['read', 'buy', 'money', 'webhooks'] as const;
export type Permission = (typeof permissions)[number];

/** A key that may do less. It is never revoked. */
interface RestrictedKey {
  readonly key: string;
  readonly world: WorldName;
  readonly may: readonly Permission[];
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
  /** What replacements may cost the operator in a month and world before a person decides. */
  readonly replacementBudget: Possible<number>;
  /** What they have cost, in millionths of a dollar. A walk does not cross the end of a month. */
  readonly replacementCost: Readonly<Record<WorldName, Account>>;
  readonly wallet: Account;
  readonly debt: Account;
  readonly sandbox: Account;
  /** Every key there ever was, the newest last. */
  readonly keys: Readonly<Record<WorldName, ApiKey[]>>;
  readonly restricted: RestrictedKey[];
  /** A live key that sets rules, and with which few refills are bought in a month. */
  frugalKey: string;
  /** Its second sandbox key is a restricted one, so the first is not replaced. */
  readonly keepsSandboxKey: boolean;
  /** Sandbox purchases may have met a full queue, so their events may be missing. */
  queueWasFull: boolean;
}

export interface Order {
  readonly id: number;
  readonly world: WorldName;
  readonly partner: Partner;
  readonly product: Product;
  /** The order of the eSIM it refills. */
  readonly refillOf?: Order | undefined;
  readonly refills: Order[];
  /** The order whose eSIM it replaces; it is free then. */
  readonly replaces: Order | undefined;
  /** Requests to replace its own eSIM, the newest last. */
  readonly replacements: Replacement[];
  /** Free orders that were placed for its eSIM. */
  readonly frees: Order[];
  /** The most that its routes may spend: its price or, where it is free, the price of the first eSIM. */
  readonly worth: number;
  readonly key: string | undefined;
  readonly list: number;
  readonly price: number;
  readonly billing: 'prepaid' | 'postpaid';
  readonly round: number;
  /** When it was first seen, and when its round began: it was bought in between. */
  readonly seenAt: number;
  readonly notBefore: number;
  state: State;
  reason: string;
  /** Bought with others under one key, which only the first of them has. */
  isBatched: boolean;
  /** It was charged when it was bought, whether or not it was refunded later. */
  readonly wasPaid: boolean;
  refunded: number;
  /** The number of refunds other than for its failure. */
  refunds: number;
  /** What its refund block says. */
  readonly refund: Possible<RefundStatus>;
  /** What its cancel block says. */
  readonly cancel: Possible<CancelStatus>;
  /** The operator had to decide, and turned it down. */
  wasRequested: boolean;
  wasRejected: boolean;
  /** The supplier is asked to take the eSIM back, and may have done so; done: it did. */
  withdrawal: 'no' | 'perhaps' | 'done';
  /** It was asked in an earlier round, and no answer has come. */
  isUnanswered: boolean;
  /** The operator may have given it up. */
  mayFail: boolean;
  /** Who may have refused it. */
  readonly mayRefuse: Set<Product>;
  /** Whose plan was delivered; known once it is on record. */
  deliveredBy: Product | undefined;
  /** Its `order.deferred` must arrive. */
  wasDeferred: boolean;
  /** A reset has deleted it. */
  deleted: boolean;
  /** A sandbox order waits for its minute: no, perhaps, or certainly over. */
  minuteIsOver: 'no' | 'perhaps' | 'yes';
  /** The service of its eSIM is switched off. */
  readonly isSuspended: Possible<boolean>;
  /** How often it was switched off and on again. */
  switches: number;
  /** A supplier that did not answer may have switched it. */
  isSwitchUnclear: boolean;
  /** Its days are over. */
  isOver: boolean;
  /** By which its eSIM refills itself. */
  rule: Rule | undefined;
  /** What was bought by its rules, the first first. */
  readonly autorefills: Order[];
  /** It was bought by a rule that was set with the frugal key. */
  isFrugal: boolean;
  /** How often a rule of it stopped. */
  stops: number;
  /** How often help was asked for. */
  helps: number;
  /** What the phone of a sandbox eSIM shows. */
  readonly profile: Possible<string>;
  esim: string | undefined;
  iccid: string | undefined;
  scenario: { readonly name: string; readonly usage: string } | undefined;
  /** Data used, as the supplier may report it; set once. */
  used: number[];
  share: number | undefined;
}

export class Model {
  readonly partners: Partner[] = [];
  readonly products: Product[] = [];
  readonly orders = new Map<string, Order>();
  readonly living = new Living();
  readonly topups = new Map<string, Topup>();
  /** Which order an idempotency key belongs to. */
  readonly keys = new Map<string, Order>();
  /** Requests to replace eSIMs by world and number. */
  readonly replacements = new Map<string, Replacement>();
  /** Those whose order, or whose old eSIM, may still change. */
  readonly unsettled = new Set<Replacement>();
  /** What was asked for and decided about replacements in this round. */
  asked: Asked[] = [];
  decided: Decided[] = [];
  rulings: Ruling[] = [];
  /** What eSIMs have bought by themselves since the last look. */
  bought: Order[] = [];
  /** eSIMs that may still buy a refill by themselves. */
  readonly refilling = new Set<Order>();
  movements: Movement[] = [];
  /** The highest number of a movement that was taken in. */
  latestMovement = 0;
  strays: Stray[] = [];
  /** Orders whose refund or cancel may change in this round. */
  readonly restless = new Set<Order>();
  /** Every eSIM that is in stock or was. */
  readonly items = new Map<string, Item>();
  imports: StockImport[] = [];
  /** Which order an eSIM was delivered with. */
  readonly esims = new Map<string, Order>();
  /** Until when a silent supplier's breaker may still be open. */
  silentUntil = 0;
  /** Until when an interrupted reading of usage may still be waited for. */
  #unreadUntil = 0;
  /** Sandboxes reset in this round. */
  readonly resets = new Set<Partner>();
  round = 0;
  /** When this round began. */
  beganAt = 0;
  /** The highest order numbers before this round, and the orders that were open then. */
  before: Readonly<Record<WorldName, number>> & { readonly open: readonly Order[] } = { live: 0, sandbox: 0, open: [] };
  /** This round breaks something, */
  faulted = false;
  /** which does not work again yet. */
  broken = false;
  /** How often a busy server answered 503, or 409 for a locked wallet, while nothing was broken. */
  busy = 0;
  readonly #batches = new Map<Order, Batch>();
  #atClose: (() => void)[] = [];

  /** A round begins; with a fault, or with everything in order. */
  begin(faulted: boolean): void {
    this.round++;
    this.faulted = faulted;
    this.broken = faulted;
    this.before = { ...this.living.latest, open: this.living.open };
    this.beganAt = Date.now();
  }

  /** Plans that come with a new eSIM. */
  get plans(): readonly Product[] {
    return this.products.filter(({ fits }) => !fits);
  }

  order(world: WorldName, id: number): Order | undefined {
    return this.orders.get(`${world} ${id}`);
  }

  /** Some supplier answers nothing, or breaks off. */
  get isSupplierSilent(): boolean {
    return this.products.some(({ behaviour }) => behaviour.has('timeout') || behaviour.has('break'));
  }

  /** A fault may have interrupted a reading of usage, which is then answered as not available for a moment. */
  get mayLackUsage(): boolean {
    return this.faulted || this.#unreadUntil > Date.now();
  }

  get isReplacingKeys(): boolean {
    return this.partners.some(({ keys }) => [...keys.live, ...keys.sandbox].some(({ revoked }) => revoked.isChanging));
  }

  ordersOf(partner: Partner, world: WorldName): Order[] {
    return this.living.of(partner, world);
  }

  keyed(partner: Partner, world: WorldName, key: string): Order | undefined {
    return this.keys.get(`${world} ${partner.id} ${key}`);
  }

  /** The batch under a key, unless a reset has deleted it. */
  batch(partner: Partner, world: WorldName, key: string): Batch | undefined {
    const first = this.keyed(partner, world, key);
    return first && this.#batches.get(first);
  }

  addBatch(batch: Batch): void {
    this.#batches.set(batch.orders[0] as Order, batch);
  }

  add(order: Order): void {
    const taken = order.key === undefined ? undefined : this.keyed(order.partner, order.world, order.key);
    requireThat(!taken, `two orders under one key: ${taken?.id} and ${order.id}`);
    this.orders.set(`${order.world} ${order.id}`, order);
    this.living.add(order);
    order.refillOf?.refills.push(order);
    order.replaces?.frees.push(order);
    if (order.key !== undefined) this.keys.set(`${order.world} ${order.partner.id} ${order.key}`, order);
  }

  /** A reset deletes the order and frees its key. */
  forget(order: Order): void {
    order.deleted = true;
    this.restless.delete(order);
    this.refilling.delete(order);
    for (const one of order.replacements) {
      this.replacements.delete(`${order.world} ${one.id}`);
      this.unsettled.delete(one);
    }
    this.living.remove(order);
    if (order.key !== undefined) this.keys.delete(`${order.world} ${order.partner.id} ${order.key}`);
  }

  /** Its refund is about to change, or may at any time. */
  stir(order: Order, ...statuses: readonly RefundStatus[]): void {
    this.restless.add(order);
    for (const status of statuses) order.refund.propose(status);
  }

  /** Registers a check for the end of the round, when everything that happened is known. */
  atClose(check: () => void): void {
    this.#atClose.push(check);
  }

  close(): void {
    if (this.faulted || this.isSupplierSilent) this.silentUntil = Date.now() + SILENCE_MS;
    if (this.faulted) this.#unreadUntil = Date.now() + READING_MS;
    for (const check of this.#atClose.splice(0)) check();
    for (const { wallet, debt, sandbox, replacementCost: cost } of this.partners)
      for (const one of [wallet, debt, sandbox, cost.live, cost.sandbox]) one.close();
    this.movements = [];
    this.strays = [];
    this.asked = [];
    this.decided = [];
    this.bought = [];
    this.rulings = this.rulings.filter(({ outcome, of }) => outcome === 'unknown' && !of.deleted);
    this.resets.clear();
  }
}
