import { queryOptions } from '@tanstack/react-query';
import type { SavedViewView } from '../../../../src/entry/site/json/saved-views.ts';
import { get, post } from '../../parts/server/client.ts';

export type SavedView = SavedViewView;

/** Of all lists: a person has a few dozen at most. */
export const savedViews = (at: string) =>
  queryOptions({
    queryKey: ['views'],
    queryFn: () => get<{ views: readonly SavedView[] }>(at),
    staleTime: 60_000,
  });

export const saveView = (at: string) => (view: Omit<SavedView, 'id'>) => post<SavedView>(at, view);
export const renameView =
  (at: string) =>
  ({ id, name }: Pick<SavedView, 'id' | 'name'>) =>
    post<SavedView>(`${at}/${id}`, { name });
export const deleteView = (at: string) => (id: string) => post(`${at}/${id}/delete`);
