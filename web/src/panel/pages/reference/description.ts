import { queryOptions } from '@tanstack/react-query';
import type { Description } from '../../../../../src/entry/public/reference/description.ts';

/** What the list of endpoints and events shows of each. It changes with a release, so it is read once. */
export const outline = queryOptions({
  queryKey: ['reference'],
  queryFn: async (): Promise<Description> => (await import('description:outline')).description,
  staleTime: Number.POSITIVE_INFINITY,
});

/** One endpoint or event with all it refers to; null: there is none of that name. */
export const piece = (id: string) =>
  queryOptions({
    queryKey: ['reference', id],
    queryFn: async (): Promise<Description | null> => {
      const { pieces } = await import('description:pieces');
      return (await pieces[id]?.())?.description ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
