import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, type RouteObject, useParams } from 'react-router';
import { Crashed } from '../parts/Crashed.tsx';
import { page } from '../parts/later.tsx';
import { Missing } from '../parts/Missing.tsx';
import { isMode } from '../parts/mode.ts';
import { me } from './api/session.ts';
import { Frame } from './Frame.tsx';
import { Overview } from './pages/overview/Overview.tsx';
import { paths } from './paths.ts';
import { useMode } from './useMode.ts';

/** Pages under `/live` and `/sandbox`. Any other first segment is not found. Before live is open, all its pages lead to the form for it. */
function World() {
  const { mode } = useParams();
  const isClosed = useQuery(me).data?.partner.is_live === false;
  if (!isMode(mode)) return <Missing />;
  return mode === 'live' && isClosed ? <Navigate to={paths.goLive} replace /> : <Outlet />;
}

function Home() {
  return <Navigate to={paths.overview(useMode().mode)} replace />;
}

export const routes: RouteObject[] = [
  {
    ErrorBoundary: Crashed,
    HydrateFallback: () => null,
    children: [
      page('sign-in', async () => (await import('./pages/SignIn.tsx')).SignIn),
      page('forgotten', async () => (await import('./pages/Forgotten.tsx')).Forgotten),
      page('accounts', async () => (await import('./pages/ChooseAccount.tsx')).ChooseAccount),
      page('sign-up', async () => (await import('./pages/sign-up/SignUp.tsx')).SignUp),
      page('sign-up/link', async () => (await import('./pages/sign-up/SignUpLink.tsx')).SignUpLink),
      page('sso/:account', async () => (await import('./pages/Sso.tsx')).Sso),
      page('welcome', async () => (await import('./pages/Welcome.tsx')).Welcome),
      page('live/money/pay', async () => (await import('./pages/money/CardForm.tsx')).CardForm),
      {
        path: '/',
        Component: Frame,
        children: [
          {
            ErrorBoundary: Crashed,
            children: [
              { index: true, Component: Home },
              page('keys', async () => (await import('./pages/keys/Keys.tsx')).Keys),
              page('traveller-page', async () => (await import('./pages/brand/BrandPage.tsx')).BrandPage),
              page('retail', async () => (await import('./pages/retail/Retail.tsx')).Retail),
              page('reference', async () => (await import('./pages/reference/Reference.tsx')).Reference),
              page('reference/guides/:name', async () => (await import('./pages/reference/GuidePage.tsx')).GuidePage),
              page('reference/:id', async () => (await import('./pages/reference/EndpointPage.tsx')).EndpointPage),
              page('go-live', async () => (await import('./pages/go-live/GoLive.tsx')).GoLive),
              page('settings', async () => (await import('./pages/settings/Settings.tsx')).Settings),
              page('security', async () => (await import('./pages/settings/Security.tsx')).Security),
              page(
                'settings/sign-in',
                async () => (await import('./pages/settings/SignInSettings.tsx')).SignInSettings,
              ),
              page('settings/activity', async () => (await import('./pages/settings/ActivityPage.tsx')).ActivityPage),
              page('sandbox/tools', async () => (await import('./pages/sandbox/SandboxTools.tsx')).SandboxTools),
              {
                path: ':mode',
                Component: World,
                children: [
                  { index: true, Component: Overview },
                  page('orders', async () => (await import('./pages/orders/Orders.tsx')).Orders),
                  page('orders/:id', async () => (await import('./pages/orders/Order.tsx')).Order),
                  page('esims', async () => (await import('./pages/esims/Esims.tsx')).Esims),
                  page('esims/:iccid', async () => (await import('./pages/esims/EsimPage.tsx')).EsimPage),
                  page('help', async () => (await import('./pages/help/HelpRequests.tsx')).HelpRequests),
                  page('help/:id', async () => (await import('./pages/help/HelpRequestPage.tsx')).HelpRequestPage),
                  page('webhooks', async () => (await import('./pages/webhooks/Webhooks.tsx')).Webhooks),
                  page('webhooks/:id', async () => (await import('./pages/webhooks/Webhook.tsx')).Webhook),
                  page('insight', async () => (await import('./pages/insight/Insight.tsx')).Insight),
                  page('catalog', async () => (await import('./pages/catalog/Catalog.tsx')).Catalog),
                  page('money', async () => (await import('./pages/money/MoneyPage.tsx')).MoneyPage),
                  page('money/statements/:month', async () => (await import('./pages/money/MonthPage.tsx')).MonthPage),
                  page('invoices', async () => (await import('./pages/invoices/Invoices.tsx')).Invoices),
                  page('invoices/:number', async () => (await import('./pages/invoices/InvoicePage.tsx')).InvoicePage),
                  page('requests', async () => (await import('./pages/requests/Requests.tsx')).Requests),
                ],
              },
              { path: '*', Component: Missing },
            ],
          },
        ],
      },
    ],
  },
];
