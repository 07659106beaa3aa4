import { queryOptions } from '@tanstack/react-query';
import type { HelpRequestView } from '../../../../src/entry/panel/orders/help-requests.ts';
import type { Mode } from '../../parts/mode.ts';
import { get, post } from '../../parts/server/client.ts';

export type HelpRequest = HelpRequestView;

const address = (mode: Mode) => `/api/${mode}/help-requests`;
export const helpKey = (mode: Mode) => [mode, 'help'];

export const helpRequests = (mode: Mode, query: { status?: string | undefined; before?: string | undefined }) =>
  queryOptions({
    queryKey: [...helpKey(mode), query],
    queryFn: () =>
      get<{ requests: HelpRequest[]; has_more: boolean }>(
        `${address(mode)}?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])))}`,
      ),
  });

export const helpRequest = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [...helpKey(mode), id],
    queryFn: () => get<{ request: HelpRequest }>(`${address(mode)}/${encodeURIComponent(id)}`),
  });

export const answerHelp = (mode: Mode, id: string, text: string) =>
  post(`${address(mode)}/${encodeURIComponent(id)}/answer`, { text });
export const closeHelp = (mode: Mode, id: string) => post(`${address(mode)}/${encodeURIComponent(id)}/close`);
