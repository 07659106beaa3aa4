import type { JSHandle, Page } from 'playwright-core';

interface Route {
  readonly path?: string;
  readonly index?: boolean;
  readonly children?: readonly Route[];
}

interface Router {
  readonly routes: readonly Route[];
  navigate(to: string): Promise<void>;
}

/** The running app's own router, found in the tree React keeps beside the page: the app has to export nothing for a test. */
export const routerOf = (page: Page): Promise<JSHandle<Router>> =>
  page.evaluateHandle<Router>(`(() => {
    const root = document.getElementById('root');
    const key = Object.keys(root).find((name) => name.startsWith('__reactContainer'));
    for (const found = [root[key]]; found.length > 0; ) {
      const fiber = found.pop();
      if (fiber.memoizedProps?.router?.routes) return fiber.memoizedProps.router;
      for (const next of [fiber.sibling, fiber.child, fiber.stateNode?.current]) if (next && next !== fiber) found.push(next);
    }
    throw new Error('there is no router');
  })()`);

/** The pattern of every page: `/:mode/orders/:id`. */
export async function patternsOf(router: JSHandle<Router>): Promise<string[]> {
  const text = await router.evaluate(({ routes }) => {
    const under = (above: string, { path = '', index, children }: Route): string[] => {
      const own = path.startsWith('/') ? path : `${above.replace(/\/$/, '')}/${path}`;
      const here = path === '' && !index ? above : own;
      return children ? children.flatMap((child) => under(here, child)) : [here];
    };
    return JSON.stringify(routes.flatMap((route) => under('', route)));
  });
  return [...new Set((JSON.parse(text) as string[]).map((path) => path.replace(/(.)\/$/, '$1')))];
}
