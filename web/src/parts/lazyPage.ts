import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';

/** A route whose code is fetched when it is first visited. */
export const page = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  lazy: async () => ({ Component: await load() }),
});
