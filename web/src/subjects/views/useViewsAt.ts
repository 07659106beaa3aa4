import { createContext, useContext } from 'react';
import type { ViewsAddress } from './views.ts';

/** Where the signed-in person's saved views are. Undefined: they have none, like an operator viewing a partner's panel. */
export const ViewsAt = createContext<ViewsAddress | undefined>(undefined);

export const useViewsAt = () => useContext(ViewsAt);
