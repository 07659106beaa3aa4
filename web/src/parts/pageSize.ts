import type { Filters } from './useFilters.ts';

const LARGER = [50, 100];

export type PageSize = ReturnType<typeof pageSize>;

/** How many rows a page of a list has: the usual number, or the one chosen, which is in the address. */
export function pageSize({ of, filter }: Filters, usual: number) {
  const sizes = [...new Set([usual, ...LARGER])];
  const value = sizes.find((size) => String(size) === of('size')) ?? usual;
  return {
    sizes,
    value,
    isUsual: value === usual,
    choose: (size: number) => filter({ size: size === usual ? undefined : String(size) }, 'further'),
  };
}
