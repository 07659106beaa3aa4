import type { RouteObject } from 'react-router';
import { Crashed } from '../parts/Crashed.tsx';
import { page } from '../parts/later.tsx';
import { Missing } from '../parts/Missing.tsx';
import { ConsoleFrame } from './ConsoleFrame.tsx';
import { Home } from './pages/home/Home.tsx';
import { paths } from './paths.ts';

export const routes: RouteObject[] = [
  {
    ErrorBoundary: Crashed,
    HydrateFallback: () => null,
    children: [
      page('/operator/sign-in', async () => (await import('./pages/gate/SignIn.tsx')).SignIn),
      page('/operator/sso', async () => (await import('./pages/gate/Sso.tsx')).Sso),
      page('/operator/welcome', async () => (await import('./pages/gate/Welcome.tsx')).Welcome),
      {
        path: '/operator',
        Component: ConsoleFrame,
        children: [
          {
            ErrorBoundary: Crashed,
            children: [
              { index: true, Component: Home },
              page('security', async () => (await import('./pages/settings/Security.tsx')).Security),
              page('staff', async () => (await import('./pages/staff/Staff.tsx')).Staff),
              page('orders', async () => (await import('./pages/orders/Orders.tsx')).Orders),
              page('orders/:id', async () => (await import('./pages/orders/OrderPage.tsx')).OrderPage),
              page('replacements', async () => (await import('./pages/replacements/Replacements.tsx')).Replacements),
              page('refunds', async () => (await import('./pages/refunds/Refunds.tsx')).Refunds),
              page('proposals', async () => (await import('./pages/proposals/Proposals.tsx')).Proposals),
              page('prices', async () => (await import('./pages/prices/Prices.tsx')).Prices),
              page('catalog', async () => (await import('./pages/catalog/Catalog.tsx')).Catalog),
              page('catalog/:id', async () => (await import('./pages/catalog/PlanPage.tsx')).PlanPage),
              page('suppliers', async () => (await import('./pages/suppliers/Suppliers.tsx')).Suppliers),
              page('routes', async () => (await import('./pages/routes/Routes.tsx')).Routes),
              page('webhooks', async () => (await import('./pages/webhooks/Webhooks.tsx')).Webhooks),
              page('incidents', async () => (await import('./pages/incidents/Incidents.tsx')).Incidents),
              page('audit', async () => (await import('./pages/audit/Audit.tsx')).Audit),
              page('privacy', async () => (await import('./pages/privacy/Privacy.tsx')).Privacy),
              page('system', async () => (await import('./pages/system/System.tsx')).System),
              // one line for each page, by area
              page('applications', async () => (await import('./pages/applications/Applications.tsx')).Applications),
              page(
                'applications/:id',
                async () => (await import('./pages/applications/ApplicationPage.tsx')).ApplicationPage,
              ),
              page('partners', async () => (await import('./pages/partners/Partners.tsx')).Partners),
              page('partners/:id', async () => (await import('./pages/partners/Partner.tsx')).Partner),
              page('money', async () => (await import('./pages/money/MoneyPage.tsx')).MoneyPage),
              page('invoices', async () => (await import('./pages/invoices/Invoices.tsx')).Invoices),
              page('invoices/:number', async () => (await import('./pages/invoices/InvoicePage.tsx')).InvoicePage),
              page(
                'money/statements/:id/:month',
                async () => (await import('./pages/money/StatementPage.tsx')).StatementPage,
              ),
              { path: '*', element: <Missing home={paths.home} name="Home" /> },
            ],
          },
        ],
      },
    ],
  },
];
