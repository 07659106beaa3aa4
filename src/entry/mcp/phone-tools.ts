import { ZERO } from '../../platform/amounts/cents.ts';
import { Failure } from '../../platform/contract/failure.ts';
import { Type } from '../../platform/contract/schema.ts';
import { autorefill, termsIn } from '../api/endpoints/esim/autorefill.ts';
import { replace } from '../api/endpoints/esim/replace.ts';
import { resume } from '../api/endpoints/esim/resume.ts';
import { suspend } from '../api/endpoints/esim/suspend.ts';
import { type Agent, type Args, refused, type Tool, type ToolAnswer, words } from './tool.ts';
import { changing, type Offer, twoSteps } from './two-steps.ts';

const iccid = { schema: Type.String({ description: 'The eSIM.' }), required: true };

type Needed = 'suspend' | 'replace' | 'refill';

/** What the person should know of the eSIM before they agree, or why it would be refused. */
async function offered(agent: Agent, { iccid = '' }: Args, needed?: Needed): Promise<Offer> {
  const answer = await agent.api('/esim/detail', { param: iccid });
  if (answer.isError) return { no: answer };
  const { esim, orders } = answer.body;
  const { state, profile, capabilities } = esim;
  if (needed !== undefined && !capabilities.includes(needed)) return { no: notPossible(needed, state) };
  return { amount: ZERO, facts: { product_title: orders.at(-1)?.product_title ?? '', state, profile } };
}

function notPossible(needed: Needed, state: string): ToolAnswer {
  if (needed === 'refill') return refused('invalid_refill', 'Nothing can be added to it.');
  if (needed === 'replace')
    return refused('not_replaceable', 'It was used and is still on the phone, or it was replaced or refunded before.');
  // A suspended one that cannot be resumed was replaced.
  if (state === 'suspended') return refused('esim_not_active', 'It was replaced and stays off.');
  return state === 'expired' || state === 'cancelled'
    ? refused('esim_not_active', 'It has expired or was cancelled.')
    : refused('not_supported', 'Its supplier cannot suspend eSIMs.');
}

/** Also refused before anyone is asked: a plan that cannot be added, and numbers out of range. */
async function offeredRefills(agent: Agent, args: Args): Promise<Offer> {
  if (args.off === '1') return offered(agent, args);
  const found = await offered(agent, args, 'refill');
  if ('no' in found) return found;
  const { iccid = '', product_id = '' } = args;
  const quote = await agent.api('/purchase/quote', { fields: { iccid, product_id } });
  if (quote.isError) return { no: quote };
  try {
    termsIn(args);
  } catch (error) {
    if (error instanceof Failure) return { no: refused(error.code, error.advice) };
    throw error;
  }
  return found;
}

/** Tools for a traveller whose eSIM does not work, or whose phone was lost. */
export const phoneTools: readonly Tool[] = [
  twoSteps({
    name: 'suspend_esim',
    title: 'Suspend an eSIM',
    description: 'Switches the service of an eSIM off, e.g. for a lost phone. Its data and days run on.',
    kind: changing,
    endpoint: suspend,
    input: { iccid },
    offer: (agent, args) => offered(agent, args, 'suspend'),
    question: () => 'This switches the eSIM off until it is resumed. Its data and days run on. Shall I?',
  }),
  twoSteps({
    name: 'resume_esim',
    title: 'Resume an eSIM',
    description: 'Switches a suspended eSIM on again.',
    kind: changing,
    endpoint: resume,
    input: { iccid },
    offer: (agent, args) => offered(agent, args, 'suspend'),
    question: () => 'This switches the eSIM on again. Shall I?',
  }),
  twoSteps({
    name: 'replace_esim',
    title: 'Replace an eSIM',
    description:
      'Gets a new eSIM of the same plan, free of charge, for one that was never used or was deleted from its phone. The old one stops working. The operator may have to decide first.',
    kind: changing,
    endpoint: replace,
    input: { iccid, reason: words('Why, in at most 200 characters.') },
    offer: (agent, args) => offered(agent, args, 'replace'),
    question: () => 'This replaces the eSIM by a new one, free of charge. The old one stops working. Shall I?',
    // The confirmation is the idempotency key: a repeat finds the replacement that was made.
    sent: (args, { id }) => ({ ...args, idempotency_key: id }),
  }),
  twoSteps({
    name: 'set_autorefill',
    title: 'Refill an eSIM automatically',
    description:
      'Has an eSIM buy a refill whenever so many percent of its data are used, or ends that with off=1. To set it, all else is needed.',
    kind: changing,
    endpoint: autorefill,
    input: {
      iccid,
      product_id: words('From list_refills.'),
      at_percent: { schema: Type.Integer({ description: '50 to 100.' }), required: false },
      times: { schema: Type.Integer({ description: '1 to 20.' }), required: false },
      max_price: words('In USD, of each refill.'),
      off: { schema: Type.Integer(), required: false },
    },
    offer: offeredRefills,
    question: (_usd, { off, at_percent, times, max_price }) =>
      off === '1'
        ? 'This ends the automatic refills of the eSIM. Shall I?'
        : `This buys a refill for up to ${max_price} USD whenever ${at_percent} % of the data is used, at most ${times}. Shall I?`,
  }),
];
