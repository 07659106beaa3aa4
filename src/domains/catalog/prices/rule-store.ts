import { type Cents, formatCents, toCents } from '../../../platform/amounts/cents.ts';
import { type BasisPoints, formatPercent } from '../../../platform/amounts/percent.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';
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
export async function targetOf(db: Queryable, scope: RuleScope, target: string): Promise<string | undefined> {
  const tables = {
    product: sql`select alias as target from plans where alias = ${target}`,
    provider: sql`select slug as target from suppliers where slug = ${target}`,
    country: sql`select code as target from destinations
      where scope = 'country' and (code = upper(${target}) or slug = lower(${target}))`,
    region: sql`select code as target from destinations where scope <> 'country' and code = lower(${target})`,
  };
  return (await db.maybe<{ target: string }>(tables[scope]))?.target;
}

/** Adds a rule, or replaces the one for the same partner, scope and target. Undefined: the target does not exist. */
export async function putRule(tx: Tx, rule: NewRule): Promise<{ before: Rule | undefined; after: Rule } | undefined> {
  const target = await targetOf(tx, rule.scope, rule.target);
  if (target === undefined) return undefined;
  const partnerId = rule.partnerId ?? null;
  const before = await tx.maybe<Row>(sql`
    select ${columns} from pricing_rules
    where partner_id is not distinct from ${partnerId} and scope = ${rule.scope} and target = ${target} for update`);
  const { price, share } = storedValue(rule);
  const after = await tx.one<Row>(sql`
    insert into pricing_rules (partner_id, scope, target, share_pct, price)
    values (${partnerId}, ${rule.scope}, ${target}, ${share}, ${price})
    on conflict (partner_id, scope, target) do update set share_pct = excluded.share_pct, price = excluded.price
    returning ${columns}`);
  return { before: before && shown(before), after: shown(after) };
}

export const storedValue = (rule: NewRule) =>
  rule.scope === 'product' ? { price: rule.price, share: null } : { price: null, share: formatPercent(rule.share) };

export async function removeRule(tx: Tx, ruleId: number): Promise<Rule | undefined> {
  const row = await tx.maybe<Row>(sql`delete from pricing_rules where id = ${ruleId} returning ${columns}`);
  return row && shown(row);
}

export async function findRule(db: Queryable, ruleId: number): Promise<Rule | undefined> {
  const row = await db.maybe<Row>(sql`select ${columns} from pricing_rules where id = ${ruleId}`);
  return row && shown(row);
}

/** The rule for this partner (null: for all), scope and target, the target as rules store it. */
export async function findRuleFor(
  db: Queryable,
  {
    partnerId,
    scope,
    target,
  }: { readonly partnerId: number | null; readonly scope: RuleScope; readonly target: string },
): Promise<Rule | undefined> {
  const row = await db.maybe<Row>(sql`
    select ${columns} from pricing_rules
    where partner_id is not distinct from ${partnerId} and scope = ${scope} and target = ${target}`);
  return row && shown(row);
}

/** The rule that a new one of this partner (null: of all), scope and target would replace. Undefined: the target does not exist. */
export async function ruleInPlace(
  db: Queryable,
  of: Parameters<typeof findRuleFor>[1],
): Promise<{ readonly rule: Rule | undefined } | undefined> {
  const target = await targetOf(db, of.scope, of.target);
  return target === undefined ? undefined : { rule: await findRuleFor(db, { ...of, target }) };
}

/** Every rule, or those that can apply to one partner: its own and the general ones. */
export async function listRules(db: Queryable, partnerId: number | undefined): Promise<Rule[]> {
  const only = partnerId === undefined ? nothing : sql`where partner_id = ${partnerId} or partner_id is null`;
  return (await db.query<Row>(sql`select ${columns} from pricing_rules ${only} order by id`)).map(shown);
}

export async function listRulesFor(
  db: Queryable,
  partnerId: number,
  targets: readonly (readonly [RuleScope, string])[],
): Promise<Rule[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from pricing_rules
    where (partner_id = ${partnerId} or partner_id is null) and (scope, target) in (
      select * from unnest(${targets.map(([scope]) => scope)}::text[], ${targets.map(([, target]) => target)}::text[]))`);
  return rows.map(shown);
}

/** A page of rules, newest first, for people who look through them. */
interface RuleFilter {
  readonly scope: RuleScope | undefined;
  /** `general`: those for every partner. */
  readonly partner: number | 'general' | undefined;
  readonly target: string | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

type ListedRule = Rule & { readonly partner_name: string | null; readonly target_title: string | null };

export async function searchRules(db: Queryable, filter: RuleFilter): Promise<ListedRule[]> {
  const { scope, partner, target, before, limit } = filter;
  const rows = await db.query<Row & Pick<ListedRule, 'partner_name' | 'target_title'>>(sql`
    select page.*, partners.name as partner_name, case scope
      when 'product' then (select title from plans where alias = target)
      when 'provider' then (select title from suppliers where slug = target)
      else (select title from destinations where code = target) end as target_title
    from (
      select ${columns} from pricing_rules
      where true ${scope === undefined ? nothing : sql`and scope = ${scope}`}
        ${partner === undefined ? nothing : partner === 'general' ? sql`and partner_id is null` : sql`and partner_id = ${partner}`}
        ${target === undefined ? nothing : sql`and strpos(lower(target), lower(${target})) > 0`}
        ${before === undefined ? nothing : sql`and id < ${before}`}
      order by id desc limit ${limit}) as page
    left join partners on partners.id = page.partner_id order by rule_id desc`);
  return rows.map((row) => ({ ...row, ...shown(row) }));
}
