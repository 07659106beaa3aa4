import { Type } from 'typebox';
import { centsToNumber, parseCents, ZERO } from '../../money/money.ts';
import { balanceOperations, MAX_BALANCE } from '../../worlds/sandbox/play-funds.ts';
import { endpoint } from '../endpoint.ts';
import { fail } from '../errors.ts';
import { custom, notPlain } from '../fields.ts';

const range = { min: centsToNumber(ZERO), max: centsToNumber(MAX_BALANCE) };

const NUMBER = /^-?0*(\d+(\.\d+)?)$/;
const MOST_DIGITS = 15;
/** Zeros past the cents say nothing; other digits there make it no amount of money: refused, never rounded. */
const ZEROS_PAST_CENTS = /(?<=\.\d{2})0+$/;

const operation = custom({
  schema: Type.Enum([...balanceOperations]),
  required: true,
  errors: ['invalid_operation'],
  parse(raw) {
    const known = balanceOperations.find((name) => name === raw);
    if (!known) throw fail('invalid_operation');
    return known;
  },
});

const amount = custom({
  schema: Type.Number({ minimum: range.min, maximum: range.max, description: 'USD, two decimals at most' }),
  required: true,
  errors: ['amount_required', 'amount_out_of_range'],
  parse(raw) {
    if (raw === undefined || raw === notPlain) throw fail('amount_required');
    const [, digits = ''] = NUMBER.exec(raw) ?? [];
    if (digits.split('.', 1).join().length > MOST_DIGITS) throw fail('amount_out_of_range', range);
    const cents = parseCents(digits.replace(ZEROS_PAST_CENTS, ''));
    if (cents === undefined) throw fail('amount_required');
    if (cents > MAX_BALANCE || (raw.startsWith('-') && cents !== 0n)) throw fail('amount_out_of_range', range);
    return cents;
  },
});

export const sandboxBalance = endpoint({
  path: '/account/sandboxBalance',
  verb: 'POST',
  tier: 'purchase',
  summary: 'Change the sandbox balance (sandbox keys only)',
  needs: (world) => world.tools,
  fields: { operation, amount },
  errors: ['sandbox_only_action', 'balance_out_of_range'],
  simulated: ['invalid_operation', 'amount_required', 'balance_out_of_range', 'sandbox_balance_write_failed'],
  reply: Type.Object({ balance: Type.Number(), previous_balance: Type.Number() }),
  storeFailure: (codes) => codes.balanceWrite,
  async handle({ partnerId, now }, input, { port }) {
    const { balance, previous } = await port.changeBalance(partnerId, input.operation, input.amount, now);
    return { body: { balance: centsToNumber(balance), previous_balance: centsToNumber(previous) } };
  },
});
