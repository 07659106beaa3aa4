import { totalOf } from './autorefills.ts';
import type { Order } from './model.ts';
import type { RuleTerms, Ruling } from './records.ts';
import { aloneWith, isBeingReplaced } from './replacements.ts';
import { inCents, mayRefuseRefill } from './sale.ts';
import { type Draw, definite, hasOwnEsim, insist, keyOf, type Scene, settled, someOrder } from './scene.ts';
import type { Answer } from './site.ts';
import { isRefillOf, partnerPrice } from './terms.ts';
import { requireThat } from './violation.ts';
import { usd } from './wallets.ts';

/** Its data does not change unseen: nothing is on its way, and it is not about to be another eSIM. */
const isSteady = (order: Order): boolean =>
  hasOwnEsim(order) &&
  !order.refillOf &&
  !order.isOver &&
  order.withdrawal === 'no' &&
  order.cancel.value === 'none' &&
  !isBeingReplaced(order) &&
  order.refills.every(({ state }) => state !== 'open');

const isUsed = ({ world, scenario }: Order): boolean =>
  world === 'live' || ['active', 'depleted'].includes(`${scenario?.usage}`);

const MARKS = [50, 60, 75, 80, 90, 100];
const TIMES = [1, 2, 3, 20];
/** What a refill may cost more than it does now, in cents. */
const MARGINS = [0, 0, 100, 1_000, 1_000, -1];

/** A partner sets the rule of an eSIM: a new one, or the one it has. */
export const setRule: Draw = (scene) => {
  const { dice, model } = scene;
  const isOdd = dice.chance(10);
  const of = someOrder(
    scene,
    (one) =>
      isSteady(one) && !model.refilling.has(one) && (isOdd || (isUsed(one) && one.deliveredBy?.isStock !== true)),
  );
  if (!of) return undefined;
  const fitting = model.products.filter((one) => isRefillOf(one, of));
  const others = model.products.filter((one) => one.fits && !isRefillOf(one, of));
  const among = fitting.length > 0 && dice.chance(92) ? fitting : others;
  if (among.length === 0) return undefined;
  const product = dice.of(among);
  const price = partnerPrice(product.list.value, product.costMicros, of.partner.marginShare);
  const drawn: RuleTerms = {
    product,
    atPercent: dice.of(MARKS),
    times: dice.of(TIMES),
    maxPrice: Math.max(1, price + dice.of(MARGINS)),
    isFrugal: of.world === 'live' && dice.chance(25),
  };
  const terms = of.rule && !of.rule.isEnded && dice.chance(30) ? of.rule : drawn;
  return ruling(scene, of, terms);
};

/** A partner ends the rule of an eSIM, also while a refill is being bought. */
export const endRule: Draw = (scene) => {
  const of = someOrder(scene, (one) => one.rule !== undefined && hasOwnEsim(one) && !isBeingReplaced(one));
  return of && ruling(scene, of, undefined);
};

function ruling(scene: Scene, of: Order, given: RuleTerms | undefined): ReturnType<Draw> {
  const { model, site } = scene;
  const { partner, world, id, iccid } = of;
  const terms = given && {
    product: given.product,
    atPercent: given.atPercent,
    times: given.times,
    maxPrice: given.maxPrice,
    isFrugal: given.isFrugal,
  };
  const said = terms
    ? `${terms.product.alias} at ${terms.atPercent}, ${terms.times} ×, up to ${terms.maxPrice}${terms.isFrugal ? ', frugal' : ''}`
    : 'off';
  return {
    label: `${partner.id} sets the rule of ${iccid} of ${world} order ${id}: ${said}`,
    alone: aloneWith(of),
    beside: [`calm sandbox ${partner.id}`, `sandbox ${partner.id}`, `clock ${partner.id}`],
    async run() {
      const one: Ruling = { of, terms, outcome: 'unknown' };
      model.rulings.push(one);
      model.refilling.add(of);
      const key = terms?.isFrugal ? partner.frugalKey : keyOf(partner, world).key;
      const form = terms
        ? {
            iccid: `${iccid}`,
            product_id: terms.product.alias,
            at_percent: `${terms.atPercent}`,
            times: `${terms.times}`,
            max_price: usd(terms.maxPrice),
          }
        : { iccid: `${iccid}`, off: '1' };
      const answer = definite(scene, await site.call(world, key, '/esim/autorefill', form), 'esim/autorefill');
      // A lost one may have been set or not. Asked again, it would count from 0 if it has stopped meanwhile.
      if (answer) ruled(one, answer);
    },
  };
}

function ruled(one: Ruling, { status, body }: Answer): void {
  const { of, terms } = one;
  const what = `the rule of ${of.world} order ${of.id}`;
  if (status !== 200) {
    const mayRefuse =
      (body.error === 'product_not_found' && terms?.product.onSale.has(false)) ||
      (body.error === 'invalid_refill' && terms && mayRefuseRefill({ product: terms.product, refillOf: of }));
    requireThat(mayRefuse, `${what} was refused`, body);
    one.outcome = 'refused';
    return;
  }
  one.outcome = 'made';
  const { autorefill: told } = body;
  if (!terms) {
    requireThat(told === null, `${what} was ended, and is there`, body);
    return;
  }
  const is = [told?.product_id, told?.at_percent, told?.times, inCents(told?.max_price)];
  const must = [terms.product.alias, terms.atPercent, terms.times, terms.maxPrice];
  requireThat(JSON.stringify(is) === JSON.stringify(must), `${what} is answered as another`, { is, must });
  requireThat(told.done <= terms.times && (told.stopped !== 'done' || told.done === terms.times), what, told);
}

/** The phone uses data, mostly about as much as a mark: its supplier reports it, also less than before. */
export const useData: Draw = (scene) => {
  const { dice, model, site } = scene;
  const of = someOrder(
    scene,
    (one) =>
      one.world === 'live' &&
      one.deliveredBy?.isStock === false &&
      one.rule !== undefined &&
      one.rule.stopped === null &&
      !one.rule.isEnded &&
      isSteady(one) &&
      !model.refilling.has(one) &&
      one.share === undefined,
  );
  if (!of?.rule) return undefined;
  const percent = of.rule.atPercent + dice.of([-30, -1, 0, 5, 50]);
  const total = totalOf(of);
  const usedMb = Math.min(total, Math.max(1, Math.ceil((total * percent) / 100)));
  const words = ['usage', 'set', `${of.iccid}`, '--used', `${usedMb}`];
  return {
    label: words.join(' '),
    alone: aloneWith(of),
    async run() {
      of.used.push(usedMb);
      model.refilling.add(of);
      const ask = async () => {
        const ended = settled(scene, await site.operator(...words), 'usage set');
        requireThat(ended?.outcome !== 'refused', `${words.join(' ')} was refused`, ended);
        return ended;
      };
      if (!(await ask())) scene.later(() => insist('usage set', ask).then(() => {}));
    },
  };
};
