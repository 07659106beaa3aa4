import { ZERO } from '../../platform/amounts/cents.ts';
import { Type } from '../../platform/contract/schema.ts';
import { replace } from '../api/endpoints/esim/replace.ts';
import { resume } from '../api/endpoints/esim/resume.ts';
import { suspend } from '../api/endpoints/esim/suspend.ts';
import { withoutActivation } from './read-tools.ts';
import { type Agent, type Args, refused, type Tool, type ToolAnswer, words } from './tool.ts';
import { changing, type Offer, twoSteps } from './two-steps.ts';

const iccid = { schema: Type.String({ description: 'The eSIM.' }), required: true };

/** What the person should know of the eSIM before they agree, or why it would be refused. */
async function offered(agent: Agent, { iccid = '' }: Args, needed: 'suspend' | 'replace'): Promise<Offer> {
  const answer = await agent.api('/esim/detail', { param: iccid });
  if (answer.isError) return { no: answer };
  const { esim, orders } = answer.body;
  const { state, profile, capabilities } = esim;
  if (!capabilities.includes(needed)) return { no: notPossible(needed, state) };
  return { amount: ZERO, facts: { product_title: orders.at(-1)?.product_title ?? '', state, profile } };
}

function notPossible(needed: 'suspend' | 'replace', state: string): ToolAnswer {
  if (needed === 'replace')
    return refused('not_replaceable', 'It was used and is still on the phone, or it was replaced or refunded before.');
  return state === 'expired' || state === 'cancelled'
    ? refused('esim_not_active', 'It has expired or was cancelled.')
    : refused('not_supported', 'Its supplier cannot suspend eSIMs.');
}

async function carryOut(agent: Agent, path: string, fields: Args, expiresAt: Date): Promise<ToolAnswer> {
  if (agent.now >= expiresAt.getTime()) return refused('confirmation_expired', 'Call again without one.');
  const answer = await agent.api(path, { fields });
  return { ...answer, body: withoutActivation(answer.body) };
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
    carryOut: (agent, args, { expiresAt }) => carryOut(agent, '/esim/suspend', args, expiresAt),
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
    carryOut: (agent, args, { expiresAt }) => carryOut(agent, '/esim/resume', args, expiresAt),
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
    carryOut: (agent, args, { id, expiresAt }) =>
      carryOut(agent, '/esim/replace', { ...args, idempotency_key: id }, expiresAt),
  }),
];
