import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, get } from '../../parts/server/calls.ts';
import type { Query } from '../../parts/server/client.ts';

type Part = 'movements' | 'keys' | 'members' | 'subscriptions' | 'clock';
type Of<P extends Part> = AnswerOf<`GET /operator/api/partners/{id}/${P}`>;

export type PartnerRow = AnswerOf<'GET /operator/api/partners'>['partners'][number];
export type Partner = AnswerOf<'GET /operator/api/partners/{id}'>['partner'];
export type PartnerKey = Of<'keys'>['keys'][number];
export type PartnerMember = Of<'members'>['members'][number];
export type PartnerSubscriptions = Of<'subscriptions'>;
export type PartnerSubscription = PartnerSubscriptions['subscriptions'][number];
export type Movement = Of<'movements'>['movements'][number];

/** The prefix of every query here: a change to one partner may show in the list, too. */
export const allPartners = ['partners'] as const;

export interface PartnerFilter {
  readonly q: string | undefined;
  readonly status: string | undefined;
  readonly billing: string | undefined;
  readonly before: string | undefined;
  readonly limit: number;
}

export const partners = (filter: PartnerFilter) =>
  queryOptions({
    queryKey: [...allPartners, 'list', filter],
    queryFn: () => get('/operator/api/partners', { ...filter }),
  });

export const partner = (id: string | number) =>
  queryOptions({
    queryKey: [...allPartners, String(id), '', {}],
    queryFn: () => get('/operator/api/partners/{id}', { id }),
  });

const of = <P extends Part>(id: number, part: P, query: Query = {}) =>
  queryOptions({
    queryKey: [...allPartners, String(id), part, query],
    queryFn: () =>
      get<`/operator/api/partners/{id}/${Part}`>(`/operator/api/partners/{id}/${part}`, { ...query, id }) as Promise<
        Of<P>
      >,
  });

export const movements = (id: number, book: 'wallet' | 'debt', page: number) => of(id, 'movements', { book, page });
export const keysOf = (id: number) => of(id, 'keys');
export const membersOf = (id: number) => of(id, 'members');
export const subscriptionsOf = (id: number) => of(id, 'subscriptions');
export const clockOf = (id: number) => of(id, 'clock');

/** They change only with the server. */
export const eventsOf = (mode: Mode) =>
  queryOptions({
    queryKey: ['webhook-events', mode],
    queryFn: () => get('/operator/api/webhook-events/{mode}', { mode }),
    staleTime: Number.POSITIVE_INFINITY,
  });
