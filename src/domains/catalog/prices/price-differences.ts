import { type Cents, formatCents } from '../../../platform/amounts/cents.ts';
import type { Plan } from '../catalog.ts';

interface Partner {
  readonly partnerId: number;
  readonly name: string;
}

interface Found {
  readonly plan: Plan;
  readonly from: Cents;
  readonly to: Cents;
  readonly partners: readonly Partner[];
}

const DIFFERENCES_SHOWN = 5;
const PARTNERS_SHOWN = 20;

export class Differences {
  readonly #plans = new Set<number>();
  readonly #sums: { partners: readonly Partner[]; rises: number; falls: number }[] = [];
  readonly #rises = new Largest();
  readonly #falls = new Largest();

  /** For partners that pay the same before and after. */
  forPartners(partners: readonly Partner[]): (plan: Plan, from: Cents, to: Cents) => void {
    const sum = { partners, rises: 0, falls: 0 };
    this.#sums.push(sum);
    return (plan, from, to) => {
      if (from === to) return;
      this.#plans.add(plan.id);
      const isRise = to > from;
      sum[isRise ? 'rises' : 'falls'] += 1;
      (isRise ? this.#rises : this.#falls).offer({ plan, from, to, partners });
    };
  }

  summary() {
    const touched = this.#sums.filter(({ rises, falls }) => rises + falls > 0);
    const total = (of: (sum: (typeof touched)[number]) => number) =>
      touched.reduce((all, sum) => all + of(sum) * sum.partners.length, 0);
    const [rises, falls] = [total((sum) => sum.rises), total((sum) => sum.falls)];
    return {
      /** Plans and partners with another price for at least one of the other; and such prices in all. */
      plans: this.#plans.size,
      partners: total(() => 1),
      prices: rises + falls,
      rises,
      falls,
      largest_rises: this.#rises.shown(),
      largest_falls: this.#falls.shown(),
      /** Those with the most plans that change. */
      most_affected: touched
        .sort((a, b) => b.rises + b.falls - (a.rises + a.falls))
        .flatMap(({ partners, rises, falls }) =>
          partners.slice(0, PARTNERS_SHOWN).map(({ partnerId, name }) => ({
            partner_id: partnerId,
            name,
            plans: rises + falls,
            rises,
            falls,
          })),
        )
        .slice(0, PARTNERS_SHOWN),
    };
  }
}

/** The largest differences of different plans. */
class Largest {
  #found: Found[] = [];

  offer(one: Found): void {
    const size = sizeOf(one);
    const last = this.#found.at(-1);
    if (this.#found.length === DIFFERENCES_SHOWN && last && sizeOf(last) >= size) return;
    const known = this.#found.find(({ plan }) => plan === one.plan);
    if (known && sizeOf(known) >= size) return;
    this.#found = [...this.#found.filter((other) => other !== known), one]
      .sort((a, b) => Number(sizeOf(b) - sizeOf(a)))
      .slice(0, DIFFERENCES_SHOWN);
  }

  shown() {
    return this.#found.map(({ plan, from, to, partners }) => ({
      product_id: plan.alias,
      title: plan.title,
      supplier: plan.supplier.slug,
      from: formatCents(from),
      to: formatCents(to),
      /** One of the partners for whom it changes like this, and how many they are. */
      partner_id: partners[0]?.partnerId ?? 0,
      partner_name: partners[0]?.name ?? '',
      partners: partners.length,
    }));
  }
}

const sizeOf = ({ from, to }: Found): bigint => (to > from ? to - from : from - to);
