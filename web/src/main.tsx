import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { isSignedOut, Refusal } from './api/client.ts';
import { me } from './api/session.ts';
import { Confirmation } from './components/Confirmation.tsx';
import { hearOtherTabs } from './otherTabs.ts';
import { paths } from './paths.ts';
import { routes } from './routes.tsx';
import { styleNonce } from './styleNonce.ts';
import { theme } from './theme.ts';

const router = createBrowserRouter(routes);

/** The session ended: go to the sign-in page, which returns to this page afterwards. */
function whenSignedOut(error: unknown): void {
  const { pathname, search } = router.state.location;
  if (!isSignedOut(error) || pathname === paths.signIn()) return;
  void router.navigate(paths.signIn(pathname + search)).then(() => client.clear());
}

const client = new QueryClient({
  queryCache: new QueryCache({ onError: whenSignedOut }),
  mutationCache: new MutationCache({ onError: whenSignedOut }),
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

/** Another tab signed in as somebody else: drop everything the previous member loaded. */
hearOtherTabs(async () => {
  const was = client.getQueryData(me.queryKey);
  if (!was) return;
  // If the session has ended, this fails and leads to the sign-in page.
  const is = await client.fetchQuery({ ...me, staleTime: 0 }).catch(() => undefined);
  if (is && is.member.id !== was.member.id) window.location.reload();
});

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
          <RouterProvider router={router} />
          <Confirmation />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
