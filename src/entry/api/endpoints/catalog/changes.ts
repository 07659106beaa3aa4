import type { Moment } from '../../../../domains/catalog/catalog.ts';
import type { PartnerPrices } from '../../../../domains/catalog/prices/prices.ts';
import { said } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { custom, notPlain } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import type { Slices } from '../../../../platform/limits/turns.ts';
import { type Context, endpoint } from '../../endpoint.ts';
import { productSchema, rowTexts } from './rows.ts';
import {
  type Differences,
  differences,
  formatVersion,
  parseVersion,
  VERSION_PATTERN,
  type Version,
  versionOf,
} from './versions.ts';

const since = custom<Version>({
  schema: Type.String({ pattern: VERSION_PATTERN, description: 'The `version` of the catalog you have.' }),
  required: true,
  errors: ['since_required', 'invalid_since'],
  parse(raw) {
    if (raw === undefined) throw fail('since_required');
    const version = raw === notPlain ? undefined : parseVersion(raw);
    if (!version) throw fail('invalid_since');
    return version;
  },
});

export const changes = endpoint({
  path: '/catalog/changes',
  verb: 'GET',
  tier: 'catalog',
  isExtension: true,
  summary: 'What changed since a version of the catalog',
  fields: { since },
  hasTag: true,
  about:
    'Apply `changed` and `removed` to your copy, and keep `version` for the next call. A version is good for at least 7 days after it was last the latest.',
  reply: Type.Object({
    version: Type.String({
      pattern: VERSION_PATTERN,
      description: 'Names the catalog as it is now, for the next call.',
    }),
    complete: said.boolean('false: `since` is too old, or most of your prices changed. Export again.'),
    changed: Type.Array(productSchema, { description: 'Plans that are new, or different in any field.' }),
    removed: Type.Array(Type.String(), {
      description: 'Ids of plans that are no longer on sale.',
      examples: [['esc_0123456789abcdef']],
    }),
  }),
  async handle(context, input, { acceptEncoding, envelope }) {
    const { catalog, pricing, prepared, ready, world, partnerId } = context;
    const prices = await pricing.of(partnerId);
    const moment = catalog.moment();
    const latest = versionOf(moment, prices);
    await pricing.remember(partnerId, prices);
    const [before, version] = [formatVersion(input.since), formatVersion(latest)];
    const nothing = (at: string, complete: boolean) => envelope({ version: at, complete, changed: [], removed: [] });
    if (before === version)
      return ready.reply(`unchanged ${world.schema} ${version}`, acceptEncoding, () => nothing(version, true));
    // Differences from other prices than today's belong to this partner alone, so the cached answer does, too.
    const audience = input.since.contractId === latest.contractId ? 'all' : partnerId;
    const key = `changes ${world.schema} ${before} ${version} ${audience}`;
    return prepared.reply(key, acceptEncoding, async function* (slices) {
      const found = await changesSince(context, input.since, latest, moment, prices, slices);
      if (found === 'ahead') return yield nothing(before, true);
      if (found === 'unknown') return yield nothing(version, false);
      yield envelope({ version, complete: true, removed: found.removed, changed: [] }).slice(0, -']}'.length);
      yield* rowTexts(found.changed, prices.priceOf, slices);
      yield ']}';
    });
  },
});

/**
 * `unknown`: export again. `ahead`: another process named a state that this one has not read yet, so the caller has everything
 * that is known here.
 */
async function changesSince(
  { pricing, partnerId }: Context,
  then: Version,
  now: Version,
  moment: Moment,
  prices: PartnerPrices,
  slices: Slices,
): Promise<Differences | 'unknown' | 'ahead'> {
  if (then.form !== now.form) return 'unknown';
  const isSameContract = then.contractId === now.contractId;
  const earlier = isSameContract ? undefined : await pricing.remembered(partnerId, then.contractId);
  if (!isSameContract && !earlier) return 'unknown';
  const past = await moment.past(then.state);
  if (past === undefined) return 'unknown';
  if (past === 'ahead') return 'ahead';
  const found = await differences(moment, past, { is: prices.priceOf, was: earlier?.priceOf }, slices);
  // With another share most rows differ: the export is as long, and kept ready for everybody who has these prices.
  const isMost = found.changed.length * 2 > moment.listed.length;
  return isMost && earlier?.isOtherShareThan(prices.contract) ? 'unknown' : found;
}
