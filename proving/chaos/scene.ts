import type { Dice } from './dice.ts';
import type { Events } from './events.ts';
import type { ApiKey, Model, Order, Partner, WorldName } from './model.ts';
import type { Answer, CommandOutcome, Site } from './site.ts';
import { requireThat } from './violation.ts';

/** One action on the installation. Operations of a round run at the same time. */
export interface Operation {
  readonly label: string;
  /** Names reserved for this operation in the round: otherwise the outcome would depend on the order. */
  readonly alone?: readonly string[];
  /** Names it shares with other operations. */
  readonly beside?: readonly string[];
  run(): Promise<void>;
}

/** What operations are drawn from. */
export interface Scene {
  readonly site: Site;
  readonly model: Model;
  readonly events: Events;
  readonly dice: Dice;
  /** A number no other operation of this walk has. */
  next(): number;
  /** Called once the installation is up again, for what was left unknown. */
  later(finish: () => Promise<void>): void;
}

/** The contract's operations, each drawn from the dice; undefined: it makes no sense now. */
export type Draw = (scene: Scene) => Operation | undefined;

/** The newest key, which is never being revoked without a successor. */
export const keyOf = (partner: Partner, world: WorldName): ApiKey => partner.keys[world].at(-1) as ApiKey;

/** A key to buy with: every third round a restricted one, if there is one that may. */
export const buyingKey = (model: Model, partner: Partner, world: WorldName): string =>
  (model.round % 3 === 0 ? partner.restricted.find((one) => one.world === world && one.may.includes('buy')) : undefined)
    ?.key ?? keyOf(partner, world).key;

const FEW = 50;

/** One of the orders that fit, each as likely as the others; undefined: there is none. Where many fit, few are looked at. */
export function someOrder({ dice, model }: Scene, fits: (order: Order) => boolean): Order | undefined {
  const { all } = model.living;
  for (let tries = 0; all.length > FEW && tries < FEW; tries++) {
    const order = dice.of(all);
    if (fits(order)) return order;
  }
  const fitting = all.filter(fits);
  return fitting.length === 0 ? undefined : dice.of(fitting);
}

/** Its eSIM is known and not sold to another order since: returned stock may have been sold again. */
export const hasOwnEsim = ({ iccid, deliveredBy, withdrawal }: Order): boolean =>
  iccid !== undefined && (withdrawal === 'no' || !deliveredBy?.isStock);

/** One of the unfinished orders. */
export function someOpen({ dice, model }: Scene, fits: (order: Order) => boolean = () => true): Order | undefined {
  const fitting = model.living.open.filter(fits);
  return fitting.length === 0 ? undefined : dice.of(fitting);
}

/** The last inconclusive answers, for the report of a request that never got a conclusive one. */
const lastUnknown = new Map<string, string>();

/**
 * The answers of a server that is too busy, at all or with this wallet: the outcome is unknown, as after a fault. What is asked again
 * must come to an end (`insist`), so a wallet that stays locked is found.
 */
export function noteBusy(model: Model): void {
  if (!model.faulted) model.busy++;
  model.faulted = true;
}

/**
 * Undefined: the outcome of the request is unknown, which is acceptable only while something is broken or a wallet is still locked by
 * an interrupted transaction; or its key was just being replaced, and it had no effect.
 */
export function definite({ model, site }: Scene, answer: Answer | undefined, what: string): Answer | undefined {
  if (answer?.body.error === 'invalid_api_key' && model.isReplacingKeys) return undefined;
  const isWaiting = answer?.body.error === 'charge_in_progress';
  const isBusy = answer?.status === 503 || isWaiting;
  if (isBusy) noteBusy(model);
  const known = answer && answer.status < 500 && !isWaiting ? answer : undefined;
  const isExcused = model.broken || isBusy;
  if (!known) lastUnknown.set(what, answer?.text ?? site.lastLoss);
  requireThat(known || isExcused, `${what} failed though nothing was broken`, answer?.body ?? site.lastLoss);
  requireThat(known?.body.error !== 'charge_incomplete', `${what} was left half-written`, known?.body);
  return known;
}

/** The same for an operator's command. */
export function settled({ model, site }: Scene, ended: CommandOutcome, what: string): CommandOutcome | undefined {
  requireThat(ended.outcome !== 'unknown' || model.broken, `${what} failed though nothing was broken`, site.lastLoss);
  return ended.outcome === 'unknown' ? undefined : ended;
}

/** Generous, for a busy machine. */
const PATIENCE_MS = 120_000;

/** Asks again and again until the answer is definite. */
export async function insist<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  saw: () => unknown = () => lastUnknown.get(what) ?? Object.fromEntries(lastUnknown),
): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  requireThat(false, `${what} never came to an end`, saw());
}
