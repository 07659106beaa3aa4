import { useSyncExternalStore } from 'react';
import { reach } from './reach.ts';

/** Since when the server has not answered; undefined: it does. */
export const useAwaySince = (): number | undefined => useSyncExternalStore(reach.subscribe, reach.awaySince);
