import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../parts/mode.ts';
import { type AnswerOf, type BodyOf, get, post } from '../../parts/server/calls.ts';

export type ShareLink = AnswerOf<'GET /api/{mode}/orders/{id}/share'>['share'];

export const shareKey = (mode: Mode, orderId: string) => [mode, 'share', orderId];

/** Anyone with the link can install the eSIM, so it is dropped from the cache when the page is left. */
export const shareLink = (mode: Mode, orderId: string) =>
  queryOptions({
    queryKey: shareKey(mode, orderId),
    queryFn: () => get('/api/{mode}/orders/{id}/share', { mode, id: orderId }),
    gcTime: 0,
  });

export const revokeLink = (mode: Mode, id: string) => post('/api/{mode}/orders/{id}/share/revoke', { mode, id });
export const renewLink = (mode: Mode, id: string) => post('/api/{mode}/orders/{id}/share/renew', { mode, id });
export const mailLink = (mode: Mode, id: string, mail: BodyOf<'POST /api/{mode}/orders/{id}/share/mail'>) =>
  post('/api/{mode}/orders/{id}/share/mail', { mode, id }, mail);
