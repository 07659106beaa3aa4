import {
  createPartner,
  deletePartner,
  findPartner,
  listPartners,
  type Partner,
  setPartner,
} from '../accounts/accounts.ts';
import { audit } from '../actions/audit-log.ts';
import { formatCents, toCents } from '../money/money.ts';
import { command } from './command.ts';
import { choice, integer, percentOr, required, text, trueOrFalse, usd } from './options.ts';

const billing = choice(['prepaid', 'postpaid'], 'how purchases are paid');
const partnerId = required(integer('PARTNER_ID', 'the partner'));

const shown = (partner: Partner) => ({ ...partner, credit_limit: formatCents(toCents(partner.credit_limit)) });

export const partnerCommands = [
  command({
    path: ['partner', 'create'],
    summary: 'Create a partner account; --billing also opens its billing account',
    options: {
      name: required(text('NAME', 'company or person')),
      email: required(text('EMAIL', 'where to reach them')),
      billing,
      'credit-limit': usd('how far a postpaid account may go'),
    },
    async run({ db, who, clock }, input) {
      const now = new Date(clock.now());
      return db.tx(async (tx) => {
        const wanted = {
          name: input.name,
          email: input.email,
          billing: input.billing,
          creditLimit: input['credit-limit'],
        };
        const partner_id = await createPartner(tx, wanted, now);
        const after = shown(await findPartner(tx, partner_id));
        await audit(tx, { who, what: 'partner create', target: `partner ${partner_id}`, after });
        return { partner_id };
      });
    },
  }),
  command({
    path: ['partner', 'set'],
    summary: 'Change billing, standing or shares of a partner',
    args: { id: partnerId },
    options: {
      billing,
      'credit-limit': usd('how far a postpaid account may go'),
      suspended: trueOrFalse('billing account suspended: purchases refused'),
      disabled: trueOrFalse('partner disabled: every call refused'),
      'margin-share': percentOr('none', 'custom share of the margin; none: the tiers decide'),
      'revenue-share': percentOr('off', 'share of the cost of unused data'),
    },
    async run({ db, who, clock }, input) {
      const change = {
        ...(input.billing !== undefined && { billing: input.billing }),
        ...(input['credit-limit'] !== undefined && { creditLimit: input['credit-limit'] }),
        ...(input.suspended !== undefined && { suspended: input.suspended }),
        ...(input.disabled !== undefined && { disabled: input.disabled }),
        ...(input['margin-share'] !== undefined && { marginShare: input['margin-share'] }),
        ...(input['revenue-share'] !== undefined && { revenueShare: input['revenue-share'] }),
      };
      return db.tx(async (tx) => {
        const before = shown(await findPartner(tx, input.id));
        await setPartner(tx, input.id, change, new Date(clock.now()));
        const after = shown(await findPartner(tx, input.id));
        await audit(tx, { who, what: 'partner set', target: `partner ${input.id}`, before, after });
        return after;
      });
    },
  }),
  command({
    path: ['partner', 'delete'],
    summary: 'Close an account: its keys answer partner_not_found; orders and money stay on record',
    args: { id: partnerId },
    async run({ db, who, clock }, { id }) {
      return db.tx(async (tx) => {
        const before = shown(await findPartner(tx, id));
        await deletePartner(tx, id, new Date(clock.now()));
        await audit(tx, { who, what: 'partner delete', target: `partner ${id}`, before });
        return { partner_id: id, deleted: true };
      });
    },
  }),
  command({
    path: ['partner', 'list'],
    summary: 'Open partner accounts',
    run: async ({ db }) => (await listPartners(db)).map(shown),
  }),
];
