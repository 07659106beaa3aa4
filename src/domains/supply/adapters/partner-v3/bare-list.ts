import { type Wayfare, WayfareError } from '../../../../../sdk/src/wayfare.ts';
import { type Json, listOf, numberOf, objectOf, textOf } from '../loose.ts';

/*
 * The whole list by the contract alone: `catalog/countries`, then the plans of each place.
 *
 * A plan stands in the list of its own destination. Countries are listed; a region is known only where a country names it; and the world
 * is named nowhere. So after the places that are known, every country is asked how many regional and global plans cover it, with a page of
 * one row. Only where that is more than we have already seen is the list itself read. In all about three calls for each country, far
 * fewer than their 900 a minute.
 */

const PAGE = 500;
/** Calls at a time. */
const SIDE_BY_SIDE = 6;
/** A list that changes while it is read is read again. */
const TRIES = 3;
const WIDE = ['regional', 'global'] as const;

export async function bareList(wayfare: Wayfare): Promise<readonly Json[]> {
  const countries = listOf(objectOf(await wayfare.catalog.countries()).countries) ?? [];
  const codes = countries.flatMap(({ country_code }) => textOf(country_code) ?? []);
  const regions = countries.flatMap(({ region }) => textOf(region) ?? []);
  const plans = new Map<string, Json>();
  const add = (rows: readonly Json[]) => {
    for (const row of rows) plans.set(textOf(row.id) ?? '', row);
  };
  await sideBySide([...new Set([...codes, ...regions])], async (country) => add(await wholeOf({ country })));

  for (const type of WIDE) {
    const covering = (code: string) => [...plans.values()].filter((one) => one.region === type && covers(one, code));
    await sideBySide(codes, async (country) => {
      const filter = { country, type };
      const there = await countOf(filter);
      if (there > covering(country).length) add(await wholeOf(filter));
    });
  }
  return [...plans.values()];

  async function countOf(filter: ListFilter): Promise<number> {
    const answer = await page(filter, { limit: 1, offset: 0 });
    return numberOf(answer?.matched) ?? 0;
  }

  async function wholeOf(filter: ListFilter): Promise<readonly Json[]> {
    for (let tries = 1; ; tries++) {
      const rows = new Map<string, Json>();
      for (let offset = 0; ; ) {
        const answer = await page(filter, { limit: PAGE, offset });
        if (!answer) return [];
        const products = listOf(answer.products);
        if (!products) throw new Error('no list in the answer');
        for (const row of products) rows.set(textOf(row.id) ?? '', row);
        offset += products.length;
        if (answer.truncated === true && products.length > 0) continue;
        if (rows.size === (numberOf(answer.matched) ?? rows.size)) return [...rows.values()];
        break;
      }
      if (tries === TRIES) throw new Error(`the list of ${filter.country} changes while it is read`);
    }
  }

  /** Undefined: nothing is sold there, or they have no such kind of plan. */
  async function page(
    filter: ListFilter,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<Json | undefined> {
    try {
      const fields = { ...filter, all_variants: true, include_small: true, limit, offset };
      return objectOf(await wayfare.catalog.products(fields));
    } catch (thrown) {
      const isNone =
        thrown instanceof WayfareError && (thrown.httpStatus === 404 || (filter.type && thrown.httpStatus === 400));
      if (isNone) return undefined;
      throw thrown;
    }
  }
}

interface ListFilter {
  readonly country: string;
  readonly type?: (typeof WIDE)[number];
}

const covers = ({ coverage_codes }: Json, code: string): boolean =>
  Array.isArray(coverage_codes) && coverage_codes.includes(code);

/** The first failure ends it. */
async function sideBySide<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      try {
        await work(one);
      } catch (error) {
        left.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
}
