import type { Asked, Decided, Replacement } from './records.ts';
import { aloneWith, isReplaced, refusals } from './replacements.ts';
import { buyingKey, type Draw, definite, hasOwnEsim, insist, type Scene, settled, someOrder } from './scene.ts';
import { change } from './settings.ts';
import { requireThat } from './violation.ts';
import { usd } from './wallets.ts';

/** A partner asks for a new eSIM, once or several times at once; mostly for one that can be replaced. */
export const replace: Draw = (scene) => {
  const { dice, model, site } = scene;
  const isOdd = dice.chance(15);
  const old = someOrder(
    scene,
    (one) =>
      hasOwnEsim(one) &&
      !one.refillOf &&
      !model.refilling.has(one) &&
      (isOdd || !refusals(model, one).mustRefuse || isReplaced(one)),
  );
  if (!old) return undefined;
  const { partner, world, id, iccid } = old;
  const known = dice.chance(20)
    ? someReplacement(scene, (one) => one.old.partner === partner && one.old.world === world)
    : undefined;
  const key = known?.key ?? `replace-${scene.next()}`;
  const copies = dice.of([1, 1, 2, 4]);
  return {
    label: `${partner.id} asks ${copies} × to replace ${iccid} of ${world} order ${id}, key ${key}`,
    alone: [...aloneWith(old), `key of replacement ${world} ${partner.id} ${key}`],
    beside: [`calm sandbox ${partner.id}`, `sandbox ${partner.id}`, `clock ${partner.id}`],
    async run() {
      const latest = old.replacements.at(-1);
      const asked: Asked = {
        old,
        key,
        known,
        latest,
        latestStatus: latest?.status,
        ...refusals(model, old),
        answers: [],
      };
      model.asked.push(asked);
      model.restless.add(old);
      const form = { iccid: `${iccid}`, idempotency_key: key, reason: 'it does not work' };
      const ask = async () => {
        const sent = await site.call(world, buyingKey(model, partner, world), '/esim/replace', form);
        const answer = definite(scene, sent, 'a replacement');
        if (answer) asked.answers.push(answer);
        return answer;
      };
      const answers = await Promise.all(Array.from({ length: copies }, ask));
      if (answers.some((one) => !one)) scene.later(() => insist('a replacement', ask).then(() => {}));
    },
  };
};

function someReplacement({ dice, model }: Scene, fits: (one: Replacement) => boolean): Replacement | undefined {
  const fitting = [...model.replacements.values()].filter(fits);
  return fitting.length === 0 ? undefined : dice.of(fitting);
}

/** Mostly one that waits for the operator. */
const undecided = (scene: Scene): Replacement | undefined => {
  const isOdd = scene.dice.chance(20);
  return someReplacement(scene, (one) => one === one.old.replacements.at(-1) && (isOdd || one.status === 'requested'));
};

const decide =
  (decision: Decided['decision']): Draw =>
  (scene) => {
    const { model, site } = scene;
    const of = undecided(scene);
    if (!of) return undefined;
    const { old } = of;
    const { world, partner } = old;
    const words = ['replacement', decision, `${old.id}`, '--mode', world];
    return {
      label: words.join(' '),
      alone: aloneWith(old),
      beside: [`calm sandbox ${partner.id}`, `sandbox ${partner.id}`, `clock ${partner.id}`],
      async run() {
        const before = old.replacements.at(-1)?.status;
        const { mayRefuse } = refusals(model, old);
        const decided: Decided = { old, decision, outcome: 'unknown' };
        model.decided.push(decided);
        model.restless.add(old);
        const ended = settled(scene, await site.operator(...words), words.join(' '));
        if (!ended) return;
        decided.outcome = ended.outcome === 'done' ? 'made' : 'refused';
        const mayDecide = decision === 'approve' ? ['requested', 'rejected'] : ['requested'];
        // The order of a pending one may fail at any moment, and then it waits for the operator.
        const isOpen = mayDecide.includes(`${before}`) || before === 'pending';
        if (ended.outcome === 'done') {
          requireThat(isOpen, `${words.join(' ')}: it was ${before}`, ended);
          if (decision === 'reject') return;
          requireThat(old.product.onSale.has(true), `${words.join(' ')}: the plan is not on sale`);
          requireThat(refusals(model, old).mustRefuse !== 'refunded', `${words.join(' ')}: it was refunded`);
        } else if (ended.outcome === 'refused') {
          const { code } = ended;
          const isRight =
            (code === 'replacement_decided' && !mayDecide.includes(`${before}`)) ||
            (code === 'replacement_not_possible' &&
              decision === 'approve' &&
              (mayRefuse.has('refunded') || old.product.onSale.has(false)));
          requireThat(isRight, `${words.join(' ')} was refused`, { code, before });
        }
      },
    };
  };

export const approveReplacement = decide('approve');
export const rejectReplacement = decide('reject');

const BUDGETS = [0, 0, 500, 2_000, 10_000, 100_000];

/** What replacements may cost the operator in a month before a person decides. */
export const grantReplacements: Draw = (scene) => {
  const partner = scene.dice.of(scene.model.partners);
  const cents = scene.dice.of(BUDGETS);
  return change(scene, partner.replacementBudget, cents, [
    'partner',
    'set',
    `${partner.id}`,
    '--replacements',
    usd(cents),
  ]);
};
