import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, get, post } from '../../parts/server/calls.ts';

export type ViewsAddress = '/api/views' | '/operator/api/views';
export type SavedView = AnswerOf<`GET ${ViewsAddress}`>['views'][number];

/** Of all lists: a person has a few dozen at most. */
export const savedViews = (at: ViewsAddress) =>
  queryOptions({
    queryKey: ['views'],
    queryFn: () => get(at),
    staleTime: 60_000,
  });

export const saveView = (at: ViewsAddress) => (view: Omit<SavedView, 'id'>) => post(at, view);
export const renameView =
  (at: ViewsAddress) =>
  ({ id, name }: Pick<SavedView, 'id' | 'name'>) =>
    post(`${at}/{id}`, { id }, { name });
export const deleteView = (at: ViewsAddress) => (id: string) => post(`${at}/{id}/delete`, { id });
