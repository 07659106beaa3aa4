import type { Queryable, Tx } from '../db/database.ts';
import { nothing, sql } from '../db/sql.ts';
import { type Cents, formatCents, toCents } from '../money/money.ts';
import { type BasisPoints, formatPercent } from './formula.ts';
import type { RuleScope } from './rules.ts';

/** A rule as operators see it. A null `partner_id` means every partner. */
export interface Rule {
  readonly rule_id: number;
  readonly partner_id: number | null;
  readonly scope: RuleScope;
  readonly target: string;
  readonly share_pct: string | null;
  readonly price: string | null;
}

/** A product rule fixes a price; every other rule shares the margin. */
export type NewRule = { readonly partnerId: number | undefined; readonly target: string } & (
  | { readonly scope: 'product'; readonly price: Cents }
  | { readonly scope: Exclude<RuleScope, 'product'>; readonly share: BasisPoints }
);

const columns = sql`id as rule_id, partner_id, scope, target, share_pct, price`;
type Row = Omit<Rule, 'price'> & { price: bigint | null };
const shown = (row: Row): Rule => ({ ...row, price: row.price === null ? null : formatCents(toCents(row.price)) });

/** The target in the form that rules store; undefined if it does not exist. */
async function targetOf(tx: Tx, scope: RuleScope, target: string): Promise<string | undefined> {
  const tables = {
    product: sql`select alias as target from plans where alias = ${target}`,
    provider: sql`select slug as target from suppliers where slug = ${target}`,
    country: sql`select code as target from destinations
      where scope = 'country' and (code = upper(${target}) or slug = lower(${target}))`,
    region: sql`select code as target from destinations where scope <> 'country' and code = lower(${target})`,
  };
  return (await tx.maybe<{ target: string }>(tables[scope]))?.target;
}

/** Adds a rule, or replaces the one for the same partner, scope and target. Undefined: the target does not exist. */
export async function putRule(tx: Tx, rule: NewRule): Promise<{ before: Rule | undefined; after: Rule } | undefined> {
  const target = await targetOf(tx, rule.scope, rule.target);
  if (target === undefined) return undefined;
  const partnerId = rule.partnerId ?? null;
  const before = await tx.maybe<Row>(sql`
    select ${columns} from pricing_rules
    where partner_id is not distinct from ${partnerId} and scope = ${rule.scope} and target = ${target} for update`);
  const price = rule.scope === 'product' ? rule.price : null;
  const share = rule.scope === 'product' ? null : formatPercent(rule.share);
  const after = await tx.one<Row>(sql`
    insert into pricing_rules (partner_id, scope, target, share_pct, price)
    values (${partnerId}, ${rule.scope}, ${target}, ${share}, ${price})
    on conflict (partner_id, scope, target) do update set share_pct = excluded.share_pct, price = excluded.price
    returning ${columns}`);
  return { before: before && shown(before), after: shown(after) };
}

export async function removeRule(tx: Tx, ruleId: number): Promise<Rule | undefined> {
  const row = await tx.maybe<Row>(sql`delete from pricing_rules where id = ${ruleId} returning ${columns}`);
  return row && shown(row);
}

/** Every rule, or those that can apply to one partner: its own and the general ones. */
export async function listRules(db: Queryable, partnerId: number | undefined): Promise<Rule[]> {
  const only = partnerId === undefined ? nothing : sql`where partner_id = ${partnerId} or partner_id is null`;
  return (await db.query<Row>(sql`select ${columns} from pricing_rules ${only} order by id`)).map(shown);
}
