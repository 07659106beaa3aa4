import { type Cents, formatCents } from '../../platform/amounts/cents.ts';
import { timestamp } from '../../platform/clock.ts';
import { type TSchema, Type } from '../../platform/contract/schema.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { CONFIRMATION_MS, newConfirmation, readConfirmation } from './confirmation.ts';
import { twoOutputs } from './output.ts';
import { type Agent, type Args, type Input, refused, type Tool, type ToolAnswer, words } from './tool.ts';

const MINUTES = CONFIRMATION_MS / 60_000;

interface Kind {
  readonly how: string;
  /** What the first call names the amount, and what else it answers. */
  readonly amountField: string;
  readonly facts: Readonly<Record<string, TSchema>>;
  readonly confirmation: Input[string];
}

export const buying: Kind = {
  how: `Without confirmation it only returns the price and a confirmation, valid for ${MINUTES} minutes. Tell the person the price. When they agree, repeat the call with the confirmation. If that answer is lost, repeat it again: nothing is charged twice.`,
  amountField: 'price_usd',
  facts: {
    product_title: Type.String(),
    livemode: Type.Boolean(),
    spending_left_after_usd: Type.Union([Type.String(), Type.Null()]),
  },
  confirmation: words('From the first call; leave it out there.'),
};

export const refunding: Kind = {
  how: `Without confirmation it only returns the amount to be refunded and a confirmation, valid for ${MINUTES} minutes. Tell the person that the eSIM stops working, and the amount. When they agree, repeat the call with the confirmation. If that answer is lost, repeat it again.`,
  amountField: 'refund_usd',
  facts: {
    product_title: Type.String(),
    paid_with: Type.String(),
  },
  confirmation: buying.confirmation,
};

export const cancelling: Kind = {
  ...refunding,
  how: refunding.how.replace('that the eSIM stops working, and the amount', 'the amount'),
};

/** What the first call finds out: the amount, or why it would be refused. */
export type Offer =
  | { readonly amount: Cents; readonly facts: Readonly<Record<string, unknown>> }
  | { readonly no: ToolAnswer };

interface TwoSteps extends Pick<Tool, 'name' | 'title' | 'description' | 'input' | 'sandboxInput'> {
  readonly kind: Kind;
  /** What the second call calls. */
  readonly endpoint: Pick<Endpoint, 'reply' | 'permission'>;
  offer(agent: Agent, args: Args): Promise<Offer>;
  /** The question for the person, with the amount. */
  question(usd: string): string;
  carryOut(agent: Agent, args: Args, agreed: { id: string; price: Cents; expiresAt: Date }): Promise<ToolAnswer>;
}

/** A tool that states the amount first and acts on the confirmation of exactly that. */
export function twoSteps({ kind, endpoint, input, offer, question, carryOut, ...shown }: TwoSteps): Tool {
  const { how, amountField, facts, confirmation } = kind;
  const { reply, permission = 'read' } = endpoint;
  return {
    ...shown,
    description: `${shown.description} ${how}`,
    input: { ...input, confirmation },
    output: twoOutputs(amountField, facts, reply),
    writes: true,
    permission,
    async run(agent, { confirmation: token, ...args }) {
      const { base, key, now } = agent;
      const subject = { keyId: key.keyId, tool: shown.name, args };
      if (token !== undefined) {
        const agreed = readConfirmation(base.vault, subject, token);
        if (agreed) return carryOut(agent, args, agreed);
        return refused(
          'invalid_confirmation',
          'This confirmation was not made for this key with these arguments. Call again without one.',
        );
      }
      const offered = await offer(agent, args);
      if ('no' in offered) return offered.no;
      const made = newConfirmation(base.vault, subject, offered.amount, now);
      const usd = formatCents(offered.amount);
      return {
        isError: false,
        body: {
          status: 'confirmation_required',
          [amountField]: usd,
          ...offered.facts,
          question: question(usd),
          confirmation: made.token,
          confirm_before: timestamp(made.expiresAt),
        },
      };
    },
  };
}
