import { useEffect, useRef } from 'react';
import type { Mode } from '../../../parts/mode.ts';
import { paths } from '../../paths.ts';

/**
 * A purchase that this tab has not seen the end of. It is kept from the moment it is sent until its answer is there, and also when the
 * session ends while its dialog is open. Only for this tab, and only for the member who began it.
 */
export interface Interrupted {
  readonly memberId: number;
  readonly mode: Mode;
  readonly productId: string;
  /** Of the plan. */
  readonly title: string;
  /** If set, the plan was to be added to this eSIM. */
  readonly iccid?: string | undefined;
  /** As it was typed. */
  readonly quantity: string;
  readonly reference: string;
  /** The key it was sent with; undefined: it was not sent. */
  readonly key?: string | undefined;
}

const KEPT = 'wayfare purchase';

export const keep = (purchase: Interrupted): void => sessionStorage.setItem(KEPT, JSON.stringify(purchase));
export const forget = (): void => sessionStorage.removeItem(KEPT);
export const isOneKept = (): boolean => sessionStorage.getItem(KEPT) !== null;
export const kept = (): Interrupted | null => JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');

/**
 * Keeps what is in an open dialog if the sign-in page takes its place. What was sent already is kept as it was sent. `begun` is undefined
 * once the person is no longer known, which may be a moment before the page is gone.
 */
export function useKeptAtSignOut(isOpen: boolean, begun: Omit<Interrupted, 'key'> | undefined): void {
  const latest = useRef<typeof begun>(undefined);
  useEffect(() => {
    if (!isOpen) latest.current = undefined;
    else if (begun) latest.current = begun;
  });
  useEffect(
    () => () => {
      if (latest.current && window.location.pathname === paths.signIn() && !isOneKept()) keep(latest.current);
    },
    [],
  );
}
