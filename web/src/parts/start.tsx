import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './styles.css';
import { MantineProvider, type MantineThemeOverride } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { isSignedOut, Refusal } from './server/client.ts';
import { hearOtherTabs } from './server/otherTabs.ts';
import { styleNonce } from './styleNonce.ts';

/** What the partners' panel and the operators' console start with. They are two pages with parts in common. */
interface Application {
  readonly routes: RouteObject[];
  readonly theme: MantineThemeOverride;
  /** The sign-in page, which leads back to `next`. */
  signIn(next?: string): string;
  /** The id of the person who signed in: as this tab loaded it, and as the server says now. */
  readonly who: {
    known(client: QueryClient): number | undefined;
    ask(client: QueryClient): Promise<number>;
  };
  /** A request was refused; the server may know more about the person than this tab does. */
  whenRefused?(refusal: Refusal, client: QueryClient): void;
  /** Asks for the password again where the server wants it. */
  readonly confirmation: ReactNode;
}

export function start({ routes, theme, signIn, who, whenRefused, confirmation }: Application): void {
  const router = createBrowserRouter(routes);

  let isLeaving = false;

  /**
   * If the session ended: go to the sign-in page, which returns to this page afterwards. Once, however many requests are refused: a second
   * navigation ends the first, and what the page knows would be cleared while it is still shown, with what was typed there.
   */
  function onError(error: unknown): void {
    if (error instanceof Refusal) whenRefused?.(error, client);
    const { pathname, search } = router.state.location;
    if (!isSignedOut(error) || isLeaving || pathname === signIn()) return;
    isLeaving = true;
    void router.navigate(signIn(pathname + search)).then(() => {
      isLeaving = false;
      client.clear();
    });
  }

  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Ask even when the browser believes it is offline: a failed request is shown, a paused one is not.
        networkMode: 'always',
        // Retrying a refusal changes nothing; a server that did not answer may be back.
        retry: (failures, error) =>
          failures < 2 && !(error instanceof Refusal && error.status >= 400 && error.status < 500),
      },
      // Changes carry passwords and return secrets: forget them as soon as their form is gone.
      mutations: { gcTime: 0, networkMode: 'always' },
    },
  });

  /** Another tab signed in as somebody else: drop everything the previous person loaded. */
  hearOtherTabs(async () => {
    const was = who.known(client);
    if (was === undefined) return;
    // If the session has ended, this fails and leads to the sign-in page.
    const is = await who.ask(client).catch(() => was);
    if (is !== was) window.location.reload();
  });

  const root = document.getElementById('root');
  if (root)
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
            <RouterProvider router={router} />
            {confirmation}
            <div id="toasts" />
          </MantineProvider>
        </QueryClientProvider>
      </StrictMode>,
    );
}
