import { randomBytes } from 'node:crypto';
import { type Cents, formatCents, toCents } from '../../platform/amounts/cents.ts';
import { MINUTE, SECOND, timestamp } from '../../platform/clock.ts';
import { type TSchema, Type } from '../../platform/contract/schema.ts';
import type { Vault } from '../../platform/vault/secrets.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { withoutActivation } from './read-tools.ts';
import { type Agent, type Args, type Input, refused, type Tool, type ToolAnswer, twoOutputs, words } from './tool.ts';

/** How long a price can be confirmed. */
const CONFIRMATION_MS = 10 * MINUTE;

const PURPOSE = 'agent confirmation';
/** The prefix is how the log knows one and cuts it out. The signature is 32 bytes in base64url. */
const TOKEN = /^wfc_(\d{1,12})-(\d{1,15})-([0-9a-f]{32})-([\w-]{43})$/;

/** What a confirmation is for: this key, this tool and exactly these arguments. */
interface Subject {
  readonly keyId: number;
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
}

export type Confirmation = NonNullable<ReturnType<typeof readConfirmation>>;

/** A token that can be redeemed only by the same key, with the same arguments, at this price, until it expires. */
function newConfirmation(vault: Vault, subject: Subject, price: Cents, now: number) {
  const expires = Math.floor((now + CONFIRMATION_MS) / SECOND);
  const named = `${expires}-${price}-${randomBytes(16).toString('hex')}`;
  const signature = Buffer.from(vault.sign(PURPOSE, signed(subject, named)), 'hex').toString('base64url');
  return { token: `wfc_${named}-${signature}`, expiresAt: new Date(expires * SECOND) };
}

/** Undefined unless it is ours and for this subject. Whether it has expired is up to the caller. */
function readConfirmation(vault: Vault, subject: Subject, token: string) {
  const [, expires = '', price = '', nonce = '', signature = ''] = TOKEN.exec(token) ?? [];
  const bytes = Buffer.from(signature, 'base64url');
  // The last character has bits to spare: each token has one spelling.
  if (signature === '' || bytes.toString('base64url') !== signature) return undefined;
  if (!vault.verify(PURPOSE, signed(subject, `${expires}-${price}-${nonce}`), bytes.toString('hex'))) return undefined;
  /** Different for each. A purchase is made under it as its idempotency key. */
  const id = `mcp-${nonce}`;
  return { id, price: toCents(BigInt(price)), expiresAt: new Date(Number(expires) * SECOND) };
}

function signed({ keyId, tool, args }: Subject, named: string): string {
  return JSON.stringify([keyId, tool, Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)), named]);
}

const MINUTES = CONFIRMATION_MS / 60_000;

interface Kind {
  readonly how: string;
  /** What the first call names the amount, and what else it answers; null: no money moves. */
  readonly amountField: string | null;
  readonly facts: Readonly<Record<string, TSchema>>;
  readonly confirmation: Input[string];
}

export const buying: Kind = {
  how: `The first call only returns the price and a confirmation, valid for ${MINUTES} minutes. Tell the person the price. When they agree, repeat it with the confirmation; also if that answer is lost: nothing is charged twice.`,
  amountField: 'price_usd',
  facts: {
    product_title: Type.String(),
    livemode: Type.Boolean(),
    spending_left_after_usd: Type.Union([Type.String(), Type.Null()]),
  },
  confirmation: words('From the first call.'),
};

export const refunding: Kind = {
  how: 'The first call only returns the amount and a confirmation. Tell the person that the eSIM stops working, and the amount. When they agree, repeat it with the confirmation.',
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

/** No money moves, but something changes for the traveller. */
export const changing: Kind = {
  how: 'The first call only returns a confirmation. When the person agrees, repeat it with that.',
  amountField: null,
  facts: {
    product_title: Type.String(),
    state: Type.String(),
    profile: Type.Object({}),
  },
  confirmation: buying.confirmation,
};

/** What the first call finds out: the amount, or why it would be refused. */
export type Offer =
  | { readonly amount: Cents; readonly facts: Readonly<Record<string, unknown>> }
  | { readonly no: ToolAnswer };

interface TwoSteps extends Pick<Tool, 'name' | 'title' | 'description' | 'input' | 'sandboxInput'> {
  readonly kind: Kind;
  readonly endpoint: Pick<Endpoint, 'path' | 'reply' | 'permission'>;
  offer(agent: Agent, args: Args): Promise<Offer>;
  /** The question for the person, with the amount. */
  question(usd: string, args: Args): string;
  /** What the endpoint is sent, if that is not the arguments as they are. */
  sent?(args: Args, agreed: Confirmation): Args;
  /** Unless the endpoint does it as long as the confirmation has not expired. */
  carryOut?(agent: Agent, args: Args, agreed: Confirmation): Promise<ToolAnswer>;
}

/** A tool that states the amount first and acts on the confirmation of exactly that. */
export function twoSteps({ kind, endpoint, input, offer, question, sent, carryOut, ...shown }: TwoSteps): Tool {
  const { how, amountField, facts, confirmation } = kind;
  const { path, reply, permission = 'read' } = endpoint;
  const call: TwoSteps['carryOut'] = async (agent, args, agreed) => {
    if (agent.now >= agreed.expiresAt.getTime()) return refused('confirmation_expired', 'Call again without one.');
    const answer = await agent.api(path, { fields: sent?.(args, agreed) ?? args });
    return { ...answer, body: withoutActivation(answer.body) };
  };
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
        if (agreed) return (carryOut ?? call)(agent, args, agreed);
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
          ...(amountField !== null && { [amountField]: usd }),
          ...offered.facts,
          question: question(usd, args),
          confirmation: made.token,
          confirm_before: timestamp(made.expiresAt),
        },
      };
    },
  };
}
