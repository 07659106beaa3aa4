import '@mantine/core/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { isSignedOut, Refusal } from './api/client.ts';
import { me } from './api/session.ts';
import { hearOtherTabs } from './otherTabs.ts';
import { paths } from './paths.ts';
import { routes } from './routes.tsx';
import { theme } from './theme.ts';

const router = createBrowserRouter(routes);

/** The session ended: to the sign-in page, and from there back to where one was. */
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
      // A refusal stays one however often it is asked; only a server that is away may be back.
      retry: (failures, error) =>
        failures < 2 && !(error instanceof Refusal && error.status >= 400 && error.status < 500),
    },
    // Changes carry passwords and bring secrets: none is remembered once its form is gone.
    mutations: { gcTime: 0 },
  },
});

/** What one member read is not there for the next: neither on the screen nor mixed with what the next one reads. */
hearOtherTabs(async () => {
  const was = client.getQueryData(me.queryKey);
  if (!was) return;
  // Nobody at all is an error, and leads to the sign-in page.
  const is = await client.fetchQuery({ ...me, staleTime: 0 }).catch(() => undefined);
  if (is && is.member.id !== was.member.id) window.location.reload();
});

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <MantineProvider theme={theme} defaultColorScheme="auto">
          <RouterProvider router={router} />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
