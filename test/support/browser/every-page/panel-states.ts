import type { Page } from 'playwright-core';
import type { RichAccount } from './rich-account.ts';
import type { PageState } from './walk.ts';

/** Opens a dialog; the next state must be on another page, so that it closes. */
const click = (name: string) => (page: Page) => page.getByRole('main').getByRole('button', { name }).first().click();
const at = (...addresses: string[]): PageState[] => addresses.map((address) => ({ address }));
const inBoth = (...below: string[]): PageState[] =>
  at(...['/live', '/sandbox'].flatMap((world) => below.map((path) => world + path)));

/** Pages for people who are not signed in; `link` is the path of an invitation. */
export const doors = (link: string): Record<string, PageState[]> => ({
  '/sign-in': at('/sign-in'),
  '/forgotten': [
    ...at('/forgotten'),
    {
      address: '/forgotten',
      async act(page) {
        await page.getByRole('textbox', { name: 'Email' }).fill('somebody@example.com');
        await page.getByRole('button', { name: 'Send the link' }).click();
        await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      },
    },
  ],
  '/sign-up': at('/sign-up'),
  '/sign-up/link': at('/sign-up/link'),
  '/sso/:account': at('/sso/1'),
  '/welcome': at('/welcome', link),
});

/** Addresses of an account with data of every kind, by pattern. Patterns with a parameter need their lines here. */
const special = ({ sandbox, live }: RichAccount): Record<string, PageState[]> => ({
  // Leads to the overview.
  '/': [],
  '/accounts': at('/accounts?next=/'),
  '/keys': [
    ...at('/keys'),
    { address: '/keys', act: click('New key') },
    ...at('/settings'),
    { address: '/keys', act: click('Edit limits') },
  ],
  '/traveller-page': at('/traveller-page'),
  '/settings': [
    ...at('/settings'),
    { address: '/settings', actOnPhone: (page) => page.getByRole('button', { name: 'Navigation' }).click() },
    ...at('/nowhere'),
    { address: '/settings', act: click('Invite') },
  ],
  '/security': [...at('/security'), { address: '/security', act: click('Add a passkey') }],
  '/sandbox/tools': at('/sandbox/tools'),
  '/:mode': inBoth(''),
  '/:mode/orders': [...inBoth('/orders'), ...at('/sandbox/orders?status=failed', '/sandbox/orders?reference=nothing')],
  '/:mode/orders/:id': [
    ...at(
      `/live/orders/${live.delivered}`,
      ...(['delivered', 'failed', 'refunded', 'deferred', 'refill', 'refundRequested', 'used'] as const).map(
        (order) => `/sandbox/orders/${sandbox[order]}`,
      ),
    ),
    { address: '/sandbox/orders/999999' },
    { address: `/sandbox/orders/${sandbox.delivered}`, act: click('Request refund') },
  ],
  '/:mode/esims': inBoth('/esims'),
  '/:mode/esims/:iccid': [
    ...at(`/sandbox/esims/${sandbox.iccid}`, `/live/esims/${live.iccid}`, `/sandbox/esims/${sandbox.abroad}`),
    { address: `/sandbox/esims/${sandbox.abroad}`, act: click('Replace') },
    // Another address between the two: a dialog stays open where the address is the same.
    ...at(`/sandbox/esims/${sandbox.suspended}`, `/sandbox/esims/${sandbox.replaced}`),
    { address: `/sandbox/esims/${sandbox.abroad}`, act: click('Change automatic refills') },
  ],
  '/:mode/help': [...inBoth('/help'), ...at('/sandbox/help?status=closed')],
  '/:mode/help/:id': at(`/live/help/${live.help}`, `/sandbox/help/${sandbox.help}`, '/sandbox/help/999999'),
  '/:mode/webhooks': [...inBoth('/webhooks'), { address: '/sandbox/webhooks', act: click('Add webhook') }],
  '/:mode/webhooks/:id': at(
    ...(['working', 'holding', 'disabled'] as const).map((hook) => `/sandbox/webhooks/${sandbox[hook]}`),
    `/sandbox/webhooks/${sandbox.working}?delivery=${sandbox.deliveryId}`,
  ),
  '/:mode/money': inBoth(
    '/money',
    '/money?tab=statement',
    '/money?tab=months',
    '/money?tab=share',
    '/money?tab=prices',
  ),
  '/:mode/money/statements/:month': inBoth(`/money/statements/${new Date().toISOString().slice(0, 7)}`),
  '/:mode/invoices': [
    ...inBoth('/invoices'),
    { address: '/live/invoices', act: click('Change billing details') },
    ...at('/live/invoices?status=void'),
  ],
  '/:mode/invoices/:number': at(`/live/invoices/${live.invoice}`, '/live/invoices/INV2026-999999'),
  '/:mode/requests': [...inBoth('/requests'), ...at(`/sandbox/requests?order=${sandbox.delivered}`)],
  '/:mode/catalog': [...inBoth('/catalog'), ...at('/live/catalog?destination=JP')],
  '/reference/:id': at('/reference/purchase_buy', '/reference/event_order_paid', '/reference/nothing'),
  '/reference/guides/:name': at(
    '/reference/guides/first-purchase',
    '/reference/guides/webhooks',
    '/reference/guides/events',
    '/reference/guides/errors',
    '/reference/guides/build-a-shop',
    '/reference/guides/help-a-traveller',
    '/reference/guides/coming-from-airalo',
  ),
  // Opened with a page load, and looked at where Stripe is played.
  '/live/money/pay': [],
  '/*': at('/nowhere'),
});

const shared = ({ sandbox }: RichAccount): PageState[] =>
  at('/sandbox', '/sandbox/orders', `/sandbox/orders/${sandbox.delivered}`, '/retail');

/** Pages on which a role sees other controls or figures than an owner, beyond pages that only hide something. */
export const ofRoles: Readonly<
  Record<'developer' | 'finance' | 'support' | 'read-only', (rich: RichAccount) => PageState[]>
> = {
  developer: () => [],
  finance: shared,
  support: (rich) => [...shared(rich), { address: '/sandbox/catalog?destination=JP', act: click('Buy') }],
  'read-only': () => [],
};

/** The addresses to visit for each pattern of the app, in an account with data of every kind; undefined if there are none. */
export function panelStates(patterns: readonly string[], rich: RichAccount): Record<string, PageState[] | undefined> {
  const known = special(rich);
  return Object.fromEntries(patterns.map((pattern) => [pattern, known[pattern] ?? plainStates(pattern)]));
}

/** The pages of a member without a parameter, as a new account or a role with few rights finds them. */
export const plainPages = (patterns: readonly string[]): PageState[] =>
  patterns
    .filter(
      (pattern) => !/^\/(sign-in|sign-up|sign-up\/link|forgotten|welcome|accounts|live\/money\/pay)?$/.test(pattern),
    )
    .flatMap((pattern) => plainStates(pattern) ?? []);

function plainStates(pattern: string): PageState[] | undefined {
  if (pattern === '/:mode' || pattern.startsWith('/:mode/'))
    return plainStates(pattern.slice(6)) && inBoth(pattern.slice(6));
  return /[:*]/.test(pattern) ? undefined : at(pattern);
}
