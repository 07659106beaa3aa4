import type { Model } from './model.ts';
import { aloneWith, isBeingReplaced } from './replacements.ts';
import { type Draw, definite, hasOwnEsim, insist, keyOf, someOrder } from './scene.ts';
import type { Snapshot } from './snapshot.ts';
import { requireThat } from './violation.ts';

/** How many requests the page of an eSIM takes in a day. */
const MAX_A_DAY = 3;

/** A traveller asks for help on the page of their eSIM; the same form is sent once or several times. */
export const askForHelp: Draw = (scene) => {
  const { dice, site } = scene;
  const of = someOrder(
    scene,
    (one) => hasOwnEsim(one) && !one.refillOf && !one.replaces && !isBeingReplaced(one) && one.withdrawal === 'no',
  );
  if (!of) return undefined;
  const { partner, world, id } = of;
  const copies = dice.of([1, 1, 2, 3]);
  return {
    label: `a traveller asks ${copies} × for help with ${world} order ${id}`,
    alone: aloneWith(of),
    beside: [`calm sandbox ${partner.id}`, `sandbox ${partner.id}`, `clock ${partner.id}`],
    async run() {
      const before = of.helps;
      const sent = await site.call(world, keyOf(partner, world).key, `/order/detail/${id}`);
      // There is none once the eSIM was given back or all of its price was.
      const link = definite(scene, sent, 'detail')?.body.esim.share_url;
      if (!link) return;
      const path = `${new URL(link).pathname}/help/ask?shows=no_internet`;
      const shown = definite(scene, await site.page(path), 'the help page');
      if (!shown) return;
      const [, form = ''] = /name="form" value="([^"]+)"/.exec(shown.text) ?? [];
      requireThat(shown.status === 200 && form, 'the help page has no form', shown.status);
      const ask = async () => {
        const answer = definite(scene, await site.page(path, { form, message: 'no internet' }), 'a request for help');
        if (!answer) return undefined;
        const must = before < MAX_A_DAY ? 303 : 429;
        requireThat(answer.status === must, `request ${before + 1} for help with ${world} order ${id}`, answer.status);
        if (answer.status === 303) of.helps = before + 1;
        return answer;
      };
      const answers = await Promise.all(Array.from({ length: copies }, ask));
      if (answers.some((one) => !one)) scene.later(() => insist('a request for help', ask).then(() => {}));
    },
  };
};

export function requireHelps(model: Model, rows: Snapshot['helps']): void {
  const counts = new Map(rows.map(({ world, orderId, count }) => [`${world} ${orderId}`, count]));
  for (const { world, id, helps } of model.living.all)
    requireThat((counts.get(`${world} ${id}`) ?? 0) === helps, `requests for help with ${world} order ${id}`, {
      is: counts.get(`${world} ${id}`) ?? 0,
      must: helps,
    });
}
