import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { me } from './api/session.ts';

/**
 * What the partner sells for: a markup on what it pays, and prices typed for single plans. The contract has no retail price, so
 * this stays in the browser; it is for reckoning, not for selling.
 */
interface Retail {
  /** As typed; '' for none. */
  readonly markup: string;
  /** By plan, as typed. */
  readonly prices: Readonly<Record<string, string>>;
}

const NOTHING: Retail = { markup: '', prices: {} };
/** Plans with a price of their own that are remembered; the ones typed first go first. */
const MOST_PRICES = 2_000;

export function useRetail() {
  const { data } = useQuery(me);
  const [kept, setKept] = useLocalStorage<Retail>({
    key: `wayfare-retail-${data?.partner.id ?? 0}`,
    defaultValue: NOTHING,
    getInitialValueInEffect: false,
    deserialize,
  });
  return {
    markup: kept.markup,
    /** Percent; undefined: none was typed, or it is not a number. */
    markupPct: percent(kept.markup),
    priceOf: (planId: string): string => kept.prices[planId] ?? '',
    setMarkup: (markup: string) => setKept({ ...kept, markup }),
    setPrice: (planId: string, price: string) => {
      const { [planId]: _, ...others } = kept.prices;
      const prices = price === '' ? others : { ...others, [planId]: price };
      setKept({ ...kept, prices: Object.fromEntries(Object.entries(prices).slice(-MOST_PRICES)) });
    },
  };
}

/** What is kept may be from another version, or from somebody's hands. */
function deserialize(text: string | undefined): Retail {
  try {
    const { markup, prices } = JSON.parse(text ?? '') as Partial<Retail>;
    return typeof markup === 'string' && typeof prices === 'object' && prices !== null ? { markup, prices } : NOTHING;
  } catch {
    return NOTHING;
  }
}

const number = (text: string, max: number): number | undefined => {
  const plain = text.trim().replace(',', '.');
  return /^\d{1,6}(\.\d{1,2})?$/.test(plain) && Number(plain) <= max ? Number(plain) : undefined;
};

export const percent = (text: string): number | undefined => number(text.replace('%', ''), 1_000);
export const amount = (text: string): number | undefined => number(text.replace('$', ''), 100_000);

/** In whole cents, as prices are. */
export const withMarkup = (price: number, markupPct: number): number =>
  Math.round(Math.round(price * 100) * (1 + markupPct / 100)) / 100;
