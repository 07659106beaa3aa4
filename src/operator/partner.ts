import {
  createPartner,
  deletePartner,
  findPartner,
  listPartners,
  type Partner,
  setPartner,
} from '../accounts/accounts.ts';
import { amend, change } from '../audit-log.ts';
import type { Queryable } from '../db/database.ts';
import { formatCents, toCents } from '../money/money.ts';
import { command } from './command.ts';
import { choice, integer, percentOr, required, text, trueOrFalse, usd } from './options.ts';

const billing = choice(['prepaid', 'postpaid'], 'how purchases are paid');
const partnerId = required(integer('PARTNER_ID', 'the partner'));

const shown = (partner: Partner) => ({
  partner_id: partner.partnerId,
  name: partner.name,
  email: partner.email,
  disabled: partner.disabled,
  margin_share_pct: partner.marginSharePct,
  revenue_share_pct: partner.revenueSharePct,
  billing_mode: partner.billingMode,
  credit_limit: formatCents(toCents(partner.creditLimit)),
  suspended: partner.suspended,
  billing_opened_at: partner.billingOpenedAt,
  created_at: partner.createdAt,
  deleted_at: partner.deletedAt,
});
const shownPartner = async (db: Queryable, id: number) => shown(await findPartner(db, id));

export const partnerCommands = [
  command({
    path: ['partner', 'create'],
    summary: 'Create a partner account; --billing also opens its billing account',
    options: {
      name: required(text('NAME', 'company or person')),
      email: required(text('EMAIL', 'contact address')),
      billing,
      'credit-limit': usd('the most a postpaid account may owe'),
    },
    run: (context, input) =>
      change(context, 'partner create', async (tx) => {
        const wanted = {
          name: input.name,
          email: input.email,
          billing: input.billing,
          creditLimit: input['credit-limit'],
        };
        const id = await createPartner(tx, wanted, new Date(context.clock.now()));
        return { target: `partner ${id}`, after: await shownPartner(tx, id), result: { partner_id: id } };
      }),
  }),
  command({
    path: ['partner', 'set'],
    summary: "Change a partner's billing, status or shares",
    args: { id: partnerId },
    options: {
      billing,
      'credit-limit': usd('the most a postpaid account may owe'),
      suspended: trueOrFalse('suspend the billing account: purchases are refused'),
      disabled: trueOrFalse('disable the partner: every call is refused'),
      'margin-share': percentOr('none', 'fixed share of the margin; none: the tiers decide'),
      'revenue-share': percentOr('off', 'share of the cost of unused data'),
    },
    run(context, input) {
      const wanted = {
        ...(input.billing !== undefined && { billing: input.billing }),
        ...(input['credit-limit'] !== undefined && { creditLimit: input['credit-limit'] }),
        ...(input.suspended !== undefined && { suspended: input.suspended }),
        ...(input.disabled !== undefined && { disabled: input.disabled }),
        ...(input['margin-share'] !== undefined && { marginShare: input['margin-share'] }),
        ...(input['revenue-share'] !== undefined && { revenueShare: input['revenue-share'] }),
      };
      return amend(
        context,
        'partner set',
        `partner ${input.id}`,
        (tx) => shownPartner(tx, input.id),
        (tx) => setPartner(tx, input.id, wanted, new Date(context.clock.now())),
      );
    },
  }),
  command({
    path: ['partner', 'delete'],
    summary: 'Close an account: its keys answer partner_not_found; orders and money stay on record',
    args: { id: partnerId },
    run: (context, { id }) =>
      change(context, 'partner delete', async (tx) => {
        const before = await shownPartner(tx, id);
        await deletePartner(tx, id, new Date(context.clock.now()));
        return { target: `partner ${id}`, before, result: { partner_id: id, deleted: true } };
      }),
  }),
  command({
    path: ['partner', 'list'],
    summary: 'List open partner accounts',
    run: async ({ db }) => (await listPartners(db)).map(shown),
  }),
];
