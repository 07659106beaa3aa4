import type { Catalog } from '../../../../domains/catalog/catalog.ts';
import type { Pricing } from '../../../../domains/catalog/prices/prices.ts';
import type { Webhooks } from '../../../../domains/messages/webhooks/webhooks.ts';
import { type Clock, SECOND } from '../../../../platform/clock.ts';
import type { Job } from '../../../../platform/jobs/runner.ts';
import { Slices } from '../../../../platform/limits/turns.ts';
import type { World } from '../../../../worlds/world.ts';
import { type Differences, differences, formatVersion, versionOf } from './versions.ts';

/** Half of the 90 seconds in which an event comes, less what a busy worker takes. */
const EVERY_MS = 20 * SECOND;

interface ChangedParts {
  readonly catalog: Catalog;
  readonly pricing: Pricing;
  readonly clock: Clock;
}

type CatalogNotice = Awaited<ReturnType<Webhooks['catalogNotices']>>[number];
type Counts = Pick<Differences, 'pricesUp' | 'pricesDown'> & { readonly changed: number; readonly removed: number };

/**
 * Sends `catalog.changed` to partners whose catalog differs from the one last reported to them: the rows of `catalog/changes`, with
 * the partner's own prices. A catalog that only went by another name is noted without an event.
 */
export function catalogChangedJob(world: World, { catalog, pricing, clock }: ChangedParts): Job {
  const slices = new Slices();
  const { webhooks } = world;

  /** 'later': this process has not read that state yet. */
  async function compare(notice: CatalogNotice): Promise<Counts | 'later'> {
    const prices = await pricing.of(notice.partnerId);
    const moment = catalog.moment();
    const isSameContract = prices.contract.id === notice.contractId;
    const earlier = isSameContract ? undefined : await pricing.remembered(notice.partnerId, notice.contractId);
    const past = await moment.past(notice.state);
    if (past === 'ahead') return 'later';
    // What it was is not known any more: all of it counts as different, as `catalog/changes` answers.
    if (past === undefined || (!isSameContract && !earlier))
      return { changed: moment.listed.length, removed: 0, pricesUp: 0, pricesDown: 0 };
    const found = await differences(moment, past, { is: prices.priceOf, was: earlier?.priceOf }, slices);
    return { ...found, changed: found.changed.length, removed: found.removed.length };
  }

  async function publishIfDifferent(notice: CatalogNotice): Promise<number> {
    const { partnerId, aheadMs, state, contractId } = notice;
    const prices = await pricing.of(partnerId);
    const latest = versionOf(catalog.moment(), prices);
    if (latest.state.id === state.id && latest.state.token === state.token && latest.contractId === contractId)
      return 0;
    const found = await compare(notice);
    if (found === 'later') return 0;
    // The next comparison is with these prices.
    await pricing.remember(partnerId, prices);
    const occurredAt = clock.now() + aheadMs;
    const isDifferent = found.changed + found.removed > 0;
    const event = {
      ...found,
      partnerId,
      event: 'catalog.changed',
      n: notice.events + 1,
      version: formatVersion(latest),
      since: formatVersion({ state, contractId, form: notice.form ?? latest.form }),
      occurredAt,
    } as const;
    return (await webhooks.publishCatalog(notice, latest, isDifferent ? event : undefined)) ? 1 : 0;
  }

  return {
    name: `catalog changed ${world.schema}`,
    everyMs: EVERY_MS,
    async run() {
      let published = 0;
      for (const notice of await webhooks.catalogNotices(clock.now())) published += await publishIfDifferent(notice);
      return published;
    },
  };
}
