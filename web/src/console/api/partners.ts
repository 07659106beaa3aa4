import { queryOptions } from '@tanstack/react-query';
import type {
  PartnerKeyView,
  PartnerMemberView,
  PartnerSubscriptionsView,
  PartnerView,
} from '../../../../src/entry/console/partners/partner.ts';
import type { MovementsView, PartnerRow, PartnersView } from '../../../../src/entry/console/partners/partners.ts';
import type { ClockView, EventsView } from '../../../../src/entry/site/views/records.ts';
import type { Mode } from '../../parts/mode.ts';
import { get } from '../../parts/server/client.ts';

export type { PartnerRow };
export type Partner = PartnerView;
export type PartnerKey = PartnerKeyView;
export type PartnerMember = PartnerMemberView;
export type PartnerSubscriptions = PartnerSubscriptionsView;
export type PartnerSubscription = PartnerSubscriptions['subscriptions'][number];
export type Movement = MovementsView['movements'][number];

/** The prefix of every query here: a change to one partner may show in the list, too. */
export const allPartners = ['partners'] as const;

export interface PartnerFilter {
  readonly q: string | undefined;
  readonly status: string | undefined;
  readonly billing: string | undefined;
  readonly before: string | undefined;
}

export const partners = (filter: PartnerFilter) =>
  queryOptions({
    queryKey: [...allPartners, 'list', filter],
    queryFn: () => get<PartnersView>('/operator/api/partners', { ...filter }),
  });

const of = <T>(id: string | number, part: string, query: Readonly<Record<string, string | number>> = {}) =>
  queryOptions({
    queryKey: [...allPartners, String(id), part, query],
    queryFn: () => get<T>(`/operator/api/partners/${id}${part && `/${part}`}`, query),
  });

export const partner = (id: string | number) => of<{ partner: Partner }>(id, '');
export const movements = (id: number, book: 'wallet' | 'debt', page: number) =>
  of<MovementsView>(id, 'movements', { book, page });
export const keysOf = (id: number) => of<{ keys: PartnerKey[] }>(id, 'keys');
export const membersOf = (id: number) => of<{ members: PartnerMember[] }>(id, 'members');
export const subscriptionsOf = (id: number) => of<PartnerSubscriptions>(id, 'subscriptions');
export const clockOf = (id: number) => of<{ test_clock: ClockView }>(id, 'clock');

/** They change only with the server. */
export const eventsOf = (mode: Mode) =>
  queryOptions({
    queryKey: ['webhook-events', mode],
    queryFn: () => get<EventsView>(`/operator/api/webhook-events/${mode}`),
    staleTime: Number.POSITIVE_INFINITY,
  });
