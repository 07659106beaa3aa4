import { useSearchParams } from 'react-router';

export type Filters = ReturnType<typeof useFilters>;
export type FilterValues = Readonly<Record<string, string | undefined>>;

/** A list's filters and page are in its address, so it can be linked to and returned to. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  const changed = (values: FilterValues) => {
    // Not `search`: a second change can come before the first was rendered.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(values)) value ? next.set(name, value) : next.delete(name);
    return next;
  };
  return {
    of: (name: string): string | undefined => search.get(name) || undefined,
    /**
     * Changes the filters and goes back to the newest rows. The browser's back button returns to the previous filters;
     * `further` is for text that is still being typed, which counts as one change.
     */
    filter: (values: FilterValues, how?: 'further') =>
      setSearch(changed({ ...values, before: undefined }), { replace: how === 'further' }),
    /** Continues after this id; undefined: back to the newest. */
    goBefore: (id: string | number | undefined) =>
      setSearch(changed({ before: id === undefined ? undefined : String(id) })),
    clear: () => setSearch({}),
  };
}
