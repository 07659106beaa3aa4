import type { Model, Order } from './model.ts';
import { aloneWith, isReplaced } from './replacements.ts';
import { type Draw, definite, hasOwnEsim, insist, keyOf, someOrder } from './scene.ts';
import type { Answer } from './site.ts';
import type { PhoneRow } from './snapshot.ts';
import { requireThat } from './violation.ts';

const besideSandbox = ({ partner }: Order) => [
  `calm sandbox ${partner.id}`,
  `sandbox ${partner.id}`,
  `clock ${partner.id}`,
];

/** An eSIM whose replacement is under way may be switched off at any moment. */
const isCalm = ({ replacements }: Order) =>
  replacements.every(({ status, became }) => status !== 'pending' && (status !== 'replaced' || became !== null));

/** A partner switches the service of an eSIM off or on, once or several times at once; mostly one that is not switched so yet. */
export const switchService: Draw = (scene) => {
  const { dice, site, model } = scene;
  const isOdd = dice.chance(15);
  const wanted = dice.chance(50);
  const order = someOrder(
    scene,
    (one) =>
      hasOwnEsim(one) && !one.refillOf && isCalm(one) && (isOdd || wanted || one.isSuspended.value || isReplaced(one)),
  );
  if (!order) return undefined;
  const { partner, world, id } = order;
  const change = order.isSuspended.value && !isOdd ? 'resume' : wanted ? 'suspend' : 'resume';
  const copies = dice.of([1, 1, 2, 4]);
  return {
    label: `${partner.id} asks ${copies} × to ${change} ${order.iccid} of ${world} order ${id}`,
    alone: aloneWith(order),
    beside: besideSandbox(order),
    async run() {
      order.isSuspended.propose(change === 'suspend');
      const ask = async () => {
        const sent = await site.call(world, keyOf(partner, world).key, `/esim/${change}`, { iccid: `${order.iccid}` });
        if (isUnanswered(model, order, sent)) return sent;
        const answer = definite(scene, sent, `esim/${change}`);
        if (answer) switched(order, change, answer);
        return answer;
      };
      const answers = await Promise.all(Array.from({ length: copies }, ask));
      if (answers.some((one) => !one)) scene.later(() => insist(`esim/${change}`, ask).then(() => {}));
    },
  };
};

/** Its supplier is silent, and the answer says so: it may be switched or not until somebody asks again. */
function isUnanswered(model: Model, order: Order, sent: Answer | undefined): boolean {
  const by = order.deliveredBy;
  const isSilent = by?.behaviour.has('timeout') || by?.behaviour.has('break') || model.faulted;
  if (order.world === 'sandbox' || sent?.body.error !== 'service_unavailable' || !isSilent) return false;
  order.isSwitchUnclear = true;
  return !model.broken;
}

function switched(order: Order, change: 'suspend' | 'resume', { status, body }: Answer): void {
  const { world, id, deliveredBy, scenario, used, withdrawal } = order;
  const what = `the ${change} of the eSIM of ${world} order ${id}`;
  const isExpired = scenario?.usage === 'expired' || used.length > 0;
  const isOver = withdrawal === 'done' || scenario?.usage === 'expired' || (change === 'resume' && isReplaced(order));
  if (status === 409) {
    const mayBeOver = isOver || isExpired || withdrawal === 'perhaps';
    const isRight =
      (body.error === 'esim_not_active' && mayBeOver) ||
      (body.error === 'not_supported' && (deliveredBy?.isStock || withdrawal !== 'no'));
    requireThat(isRight, `${what} was refused`, body);
    return;
  }
  requireThat(status === 200 && body.esim?.iccid === order.iccid && body.message, what, body);
  requireThat(!isOver && !deliveredBy?.isStock, `${what}, which cannot be switched, was answered`, body);
  const { state } = body.esim;
  const isSuspended = state === 'suspended';
  const mayEnd = isExpired || withdrawal !== 'no';
  requireThat(isSuspended === (change === 'suspend') || (!isSuspended && mayEnd), `${what}: its state`, body);
  const usage = scenario?.usage || 'not_active';
  if (world === 'sandbox' && !isSuspended && order.refills.length === 0 && withdrawal === 'no')
    requireThat(state === usage, `${what}: its state is not ${usage}`, body);
  order.isSuspended.confirm(change === 'suspend');
  order.isSwitchUnclear = false;
}

const STATES = ['released', 'downloaded', 'installed', 'enabled', 'disabled', 'deleted', 'deleted', 'deleted'] as const;

/** The phone of a sandbox eSIM shows something else, mostly that it was deleted: then it can be replaced though it was used. */
export const playPhone: Draw = (scene) => {
  const { dice, site } = scene;
  const order = someOrder(scene, (one) => one.world === 'sandbox' && hasOwnEsim(one) && !one.refillOf);
  if (!order) return undefined;
  const { partner, id, iccid } = order;
  const state = dice.of(STATES);
  const country = dice.chance(30) ? { country: dice.of(['FR', 'JP']) } : {};
  return {
    label: `${partner.id} sets the phone of sandbox order ${id} to ${state}`,
    alone: aloneWith(order),
    beside: besideSandbox(order),
    async run() {
      order.profile.propose(state);
      const form = { iccid: `${iccid}`, state, ...country };
      const ask = async () => {
        const sent = await site.call('sandbox', keyOf(partner, 'sandbox').key, '/sandbox/profile', form);
        const answer = definite(scene, sent, 'sandbox/profile');
        if (!answer) return undefined;
        const { status, body } = answer;
        requireThat(status === 200 && body.esim?.profile?.state === state, 'sandbox/profile', body);
        order.profile.confirm(state);
        return answer;
      };
      if (!(await ask())) scene.later(() => insist('sandbox/profile', ask).then(() => {}));
    },
  };
};

/** What is on record of an eSIM must be what was asked for last, and each change of its service counts once. */
export function settlePhones(model: Model, rows: readonly PhoneRow[]): void {
  const byOrder = new Map(rows.map((row) => [`${row.world} ${row.orderId}`, row]));
  for (const order of model.living.all) {
    const row = byOrder.get(`${order.world} ${order.id}`);
    if (!row && !order.isSuspended.isChanging && !order.profile.isChanging) continue;
    const what = `the eSIM of ${order.world} order ${order.id}`;
    const before = order.isSuspended.value;
    order.isSuspended.settle(row?.isSuspended ?? false, `the suspension of ${what}`);
    if (order.isSuspended.value !== before) order.switches++;
    requireThat(order.switches === (row?.switches ?? 0), `${what} was switched another number of times`, {
      is: row?.switches,
      must: order.switches,
    });
    if (order.world === 'sandbox') order.profile.settle(row?.profile ?? 'released', `the phone of ${what}`);
  }
}
