import type { Tx } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Plan } from '../../catalog/catalog.ts';
import type { ProfileState } from '../../supply/port/port.ts';
import type { EsimProfile } from './rules.ts';
import type { SoldEsim } from './sold.ts';

/** What is on record of the profile of eSIM `o`. A null was never told. */
export interface ProfileRow {
  readonly profileState: ProfileState | null;
  readonly brand: string | null;
  readonly model: string | null;
  readonly country: string | null;
  readonly seenAt: Date | null;
}

export const profileJoin: Sql = sql`left join esim_profiles profile on profile.order_id = o.id`;

const columns: Sql = sql`
  profile.state as "profileState", profile.brand, profile.model, profile.country, profile.seen_at as "seenAt"`;

export const profileColumns: Sql = sql`${columns}, profile.suspended_at is not null as "isSuspended"`;

/** Of eSIM `o`, looked up one by one: a join could begin with all profiles. */
export const isSuspended: Sql = sql`coalesce((
  select suspended_at is not null from esim_profiles profile where profile.order_id = o.id), false)`;

export function profileOf(row: ProfileRow, newProfile: ProfileState): EsimProfile {
  const { profileState, brand, model, country, seenAt } = row;
  const device = brand === null && model === null ? null : { brand: brand ?? '', model: model ?? '' };
  return { state: profileState ?? newProfile, device, country, seenAt };
}

/** Whether the plan covers the country where its eSIM was last seen; null: not known. */
export const coveredBy = (
  plan: { readonly coverage: Pick<Plan['coverage'], 'codes'> } | undefined,
  country: string | null,
): boolean | null => (plan === undefined || country === null ? null : plan.coverage.codes.includes(country));

/** News of a profile. What is known of the parts that are missing stays. */
export interface ProfileNews {
  readonly state?: ProfileState | undefined;
  readonly brand?: string | undefined;
  readonly model?: string | undefined;
  readonly country?: string | undefined;
  readonly seenAt?: Date | undefined;
}

/** A profile after news of it, and how often each of the things that are published has happened to it. */
export interface KeptProfile extends ProfileRow {
  readonly removals: number;
  readonly countryChanges: number;
}

/**
 * Notifications can arrive late, so an older sighting does not replace a newer one. A newer one that lies in the future is wrong, or
 * of a test clock that was reset.
 */
const isNews = (
  at: Date,
): Sql => sql`(kept.seen_at is null or excluded.seen_at is null or excluded.seen_at >= kept.seen_at
  or kept.seen_at > ${at})`;

/** Records news of a profile. Undefined: the order is gone, because its account was reset. */
export function keepProfile(
  tx: Tx,
  { orderId }: Pick<SoldEsim, 'orderId'>,
  { state, brand, model, country, seenAt }: ProfileNews,
  at: Date,
): Promise<KeptProfile | undefined> {
  const told = sql`${state ?? null}::text, ${brand ?? null}::text, ${model ?? null}::text, ${country ?? null}::text,
    ${seenAt ?? null}::timestamptz`;
  return tx.maybe<KeptProfile>(sql`
    with profile as (
      insert into esim_profiles as kept (order_id, partner_id, iccid, state, brand, model, country, seen_at, removals,
        country_changes, updated_at)
      select id, partner_id, iccid, ${told}, ${state === 'deleted' ? 1 : 0}, ${country === undefined ? 0 : 1}, ${at}
      from orders where id = ${orderId} for key share
      on conflict (order_id) do update set
        state = coalesce(excluded.state, kept.state),
        brand = coalesce(excluded.brand, kept.brand),
        model = coalesce(excluded.model, kept.model),
        country = case when ${isNews(at)} then coalesce(excluded.country, kept.country) else kept.country end,
        seen_at = case when not ${isNews(at)} then kept.seen_at
          when excluded.seen_at is null and excluded.country <> kept.country then null
          else coalesce(excluded.seen_at, kept.seen_at) end,
        removals = kept.removals + (excluded.state is not distinct from 'deleted' and kept.state is distinct from 'deleted')::int,
        country_changes = kept.country_changes
          + (${isNews(at)} and excluded.country is not null and kept.country is distinct from excluded.country)::int,
        updated_at = excluded.updated_at
      returning *
    )
    select ${columns}, profile.removals, profile.country_changes as "countryChanges" from profile`);
}
