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

/** The parts of the tree React keeps beside the page that hold the router: the app has to export nothing for a test. */
const withRouter = `(() => {
  const root = document.getElementById('root');
  const key = Object.keys(root).find((name) => name.startsWith('__reactContainer'));
  const found = [];
  for (const open = [root[key].stateNode.current]; open.length > 0; ) {
    const fiber = open.pop();
    if (fiber.memoizedProps?.router?.routes) found.push(fiber);
    for (const next of [fiber.sibling, fiber.child]) if (next) open.push(next);
  }
  if (found.length === 0) throw new Error('there is no router');
  return found;
})()`;

/** The running app's own router. */
export const routerOf = (page: Page): Promise<JSHandle<Router>> =>
  page.evaluateHandle<Router>(`${withRouter}[0].memoizedProps.router`);

/** Whether what is drawn is the page the router has gone to: on a busy machine React may not be there yet. */
export const isDrawn = `${withRouter}.some(({ memoizedState, memoizedProps: { router } }) => {
  for (let hook = memoizedState; hook; hook = hook.next)
    if (hook.memoizedState?.location && hook.memoizedState.matches)
      return hook.memoizedState.location.key === router.state.location.key && router.state.navigation.state === 'idle';
  return false;
})`;

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
