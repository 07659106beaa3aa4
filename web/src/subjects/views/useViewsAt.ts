import { createContext, useContext } from 'react';

/** Where the signed-in person's saved views are. Undefined: they have none, like an operator viewing a partner's panel. */
export const ViewsAt = createContext<'/api/views' | '/operator/api/views' | undefined>(undefined);

export const useViewsAt = () => useContext(ViewsAt);
