import type { Page } from 'playwright-core';
import type { RichInstallation } from './rich-installation.ts';
import type { PageState } from './walk.ts';

const at = (...addresses: string[]): PageState[] => addresses.map((address) => ({ address: `/operator${address}` }));
const tabs = (path: string, ...names: string[]): PageState[] => at(path, ...names.map((name) => `${path}?tab=${name}`));
/** Opens a dialog; the next state must be on another page, so that it closes. */
const dialog = (path: string, name: string): PageState => ({
  address: `/operator${path}`,
  act: (page: Page) => page.getByRole('main').getByRole('button', { name }).first().click(),
});

/** Opens a dialog about a route, and asks what it would do. */
const previewed = (path: string, name: string): PageState => ({
  address: `/operator${path}`,
  async act(page) {
    await page.getByRole('main').getByRole('button', { name }).first().click();
    if (!name.startsWith('Clear')) await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('status', { name: 'Preview' }).waitFor();
  },
});

/** Pages for operators who are not signed in; `link` is the token of an invitation. */
export const consoleDoors = (link: string): Record<string, PageState[]> => ({
  '/operator/sign-in': at('/sign-in'),
  '/operator/sso': at('/sso'),
  '/operator/welcome': at('/welcome', `/welcome#${link}`),
});

/** Addresses of an installation with data of every kind, by pattern. Patterns with a parameter need their lines here. */
const special = ({
  partnerId,
  others,
  stuck,
  planId,
  live,
  sandbox,
  routedPlan,
  routed,
  application,
}: RichInstallation): Record<string, PageState[]> => ({
  '/operator': [
    ...at(''),
    { address: '/operator', actOnPhone: (page) => page.getByRole('button', { name: 'Navigation' }).click() },
  ],
  '/operator/orders': [...at('/orders'), ...at('/orders?mode=sandbox', '/orders?reference=nothing')],
  '/operator/orders/:id': [
    ...at(`/orders/${stuck}`, `/orders/${live.delivered}`, `/orders/${routed}`),
    ...at(
      ...(['delivered', 'failed', 'refunded', 'deferred', 'refill', 'refundRequested'] as const).map(
        (order) => `/orders/${sandbox[order]}?mode=sandbox`,
      ),
    ),
    dialog(`/orders/${sandbox.delivered}?mode=sandbox`, 'Refund'),
  ],
  '/operator/replacements': [
    ...at('/replacements', '/replacements?mode=sandbox', '/replacements?mode=sandbox&status=replaced'),
    dialog('/replacements?mode=sandbox', 'Replace eSIM'),
  ],
  '/operator/proposals': [
    ...at('/proposals'),
    dialog('/proposals', 'Approve'),
    ...at('/nowhere'),
    dialog('/proposals', 'Reject'),
  ],
  '/operator/refunds': [...at('/refunds', '/refunds?mode=sandbox'), dialog('/refunds?mode=sandbox', 'Approve refund')],
  '/operator/webhooks': at('/webhooks', '/webhooks?mode=sandbox'),
  '/operator/partners': [...at('/partners', '/partners?q=nothing'), dialog('/partners', 'New partner')],
  '/operator/partners/:id': [
    ...tabs(`/partners/${partnerId}`, 'money', 'keys', 'members', 'webhooks', 'sandbox'),
    dialog(`/partners/${partnerId}`, 'Change terms'),
    ...at(...others.map((id) => `/partners/${id}`), '/partners/999999'),
    dialog(`/partners/${partnerId}`, 'Edit limits'),
    ...at('/partners'),
    dialog(`/partners/${partnerId}`, 'Change details'),
  ],
  '/operator/applications': at('/applications', '/applications?status=rejected'),
  '/operator/applications/:id': [
    ...at(`/applications/${application}`, '/applications/999999'),
    dialog(`/applications/${application}`, 'Approve'),
  ],
  '/operator/prices': [
    ...tabs('/prices', 'shares', 'markups', 'check'),
    ...at(`/prices?tab=check&partner=${partnerId}&product=${planId}`),
    dialog('/prices', 'New rule'),
  ],
  '/operator/catalog': [...tabs('/catalog', 'imports'), dialog('/catalog?tab=imports', 'Upload a file')],
  '/operator/catalog/:id': [
    ...at(`/catalog/${planId}`, `/catalog/${routedPlan}`),
    dialog(`/catalog/${planId}`, 'Set price or cost'),
    ...at('/catalog/nothing'),
    previewed(`/catalog/${routedPlan}`, 'Change the route of'),
  ],
  '/operator/routes': [
    ...at('/routes', '/routes?q=nothing'),
    dialog('/routes', 'Change automatic routes of all suppliers'),
    ...at('/nowhere'),
    previewed('/routes', 'Clear the route of'),
  ],
  '/operator/privacy': at('/privacy'),
  '/operator/incidents': [...at('/incidents'), dialog('/incidents', 'Write an incident')],
  '/operator/suppliers': [...at('/suppliers'), dialog('/suppliers', 'Import eSIMs')],
  '/operator/*': at('/nowhere'),
  '/operator/invoices': [...tabs('/invoices', 'set-up'), ...at('/invoices?mode=sandbox', '/invoices?status=void')],
  '/operator/invoices/:number': [
    ...at(`/invoices/${live.invoice}`, '/invoices/INV2026-999999'),
    dialog(`/invoices/${live.invoice}`, 'Void by credit note'),
  ],
  '/operator/money': tabs('/money', 'settlement', 'cards', 'statements', 'exports'),
  '/operator/money/statements/:id/:month': at(`/money/statements/${partnerId}/${new Date().toISOString().slice(0, 7)}`),
});

/** Pages that offer each role different actions. */
export const ofOperatorRoles = ({ application, partnerId, live, sandbox }: RichInstallation): PageState[] =>
  at(
    '',
    '/applications',
    `/applications/${application}`,
    '/incidents',
    '/privacy',
    '/proposals',
    '/refunds?mode=sandbox',
    '/replacements?mode=sandbox',
    `/orders/${sandbox.refundRequested}?mode=sandbox`,
    `/partners/${partnerId}`,
    `/invoices/${live.invoice}`,
  );

/** What to look at for each pattern of the console; undefined where nothing is known. */
export function consoleStates(
  patterns: readonly string[],
  rich: RichInstallation,
): Record<string, PageState[] | undefined> {
  const known = special(rich);
  return Object.fromEntries(patterns.map((pattern) => [pattern, known[pattern] ?? plain(pattern)]));
}

/** Pages without a parameter, as they are where nothing has happened. */
export const plainConsolePages = (patterns: readonly string[]): PageState[] =>
  patterns.filter((pattern) => !(pattern in consoleDoors(''))).flatMap((pattern) => plain(pattern) ?? []);

const plain = (pattern: string): PageState[] | undefined => (/[:*]/.test(pattern) ? undefined : [{ address: pattern }]);
