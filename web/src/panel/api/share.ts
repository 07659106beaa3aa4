import { queryOptions } from '@tanstack/react-query';
import type { TravellerLinkView } from '../../../../src/entry/panel/orders/traveller-links.ts';
import type { Mode } from '../../parts/mode.ts';
import { get, post } from '../../parts/server/client.ts';

export type ShareLink = TravellerLinkView;

const address = (mode: Mode, orderId: string) => `/api/${mode}/orders/${encodeURIComponent(orderId)}/share`;
export const shareKey = (mode: Mode, orderId: string) => [mode, 'share', orderId];

/** Anyone with the link can install the eSIM, so it is dropped from the cache when the page is left. */
export const shareLink = (mode: Mode, orderId: string) =>
  queryOptions({
    queryKey: shareKey(mode, orderId),
    queryFn: () => get<{ share: ShareLink }>(address(mode, orderId)),
    gcTime: 0,
  });

export const revokeLink = (mode: Mode, orderId: string) => post(`${address(mode, orderId)}/revoke`);
export const renewLink = (mode: Mode, orderId: string) => post(`${address(mode, orderId)}/renew`);
export const mailLink = (mode: Mode, orderId: string, mail: { readonly email: string; readonly language: string }) =>
  post(`${address(mode, orderId)}/mail`, mail);
