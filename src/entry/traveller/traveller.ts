import type { IncomingHttpHeaders } from 'node:http';
import { type Language, languages } from '../../domains/messages/texts/texts.ts';
import type { HelpDesk, SharedEsim, TravellerLinks } from '../../domains/travellers/travellers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ClientAddress } from '../../platform/http/client-address.ts';
import { splitTarget } from '../../platform/http/target.ts';
import { isSameOrigin } from '../site/json/browser.ts';
import { page, type SiteReply, type SiteRequest, type SiteRoute } from '../site/routes.ts';
import type { CrowdRead } from './crowd.ts';
import { type HelpParts, helpRoutes } from './help.ts';
import { devicePage } from './help-pages.ts';
import { announcement, headersOf, missingPage, travellerPage } from './page.ts';
import { usageCard } from './usage.ts';
import { type Device, notesOf, type View } from './view.ts';

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
/** For answers that are not pages: they can do nothing at all, wherever they are opened. */
const inert = {
  ...headersOf([], []),
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
/** The phone may keep the logo, a proxy may not. Its address changes with it. */
const keptByPhone = { 'cache-control': 'private, max-age=86400' };

/** A link we signed: the pages of its world, and which of them. Undefined: not ours. */
export type FindLink = (
  token: string,
) => { readonly links: TravellerLinks; readonly help: HelpDesk; open(): Promise<SharedEsim | undefined> } | undefined;

interface TravellerParts extends Omit<HelpParts, 'visit'> {
  readonly findLink: FindLink;
  readonly clock: Clock;
  readonly read: CrowdRead;
  readonly clientAddress: ClientAddress;
}

interface Visit extends SiteRequest {
  readonly links: TravellerLinks;
  readonly help: HelpDesk;
  readonly shared: SharedEsim;
  readonly language: Language;
}

/**
 * The page a partner sends to a traveller, at `/e/{token}`, and what it fetches. Anyone can ask for it, so the database is only
 * read through `read`, and only for a token we signed. Links that never existed, ended or were revoked get the same answer.
 */
export function travellerRoutes({
  findLink,
  catalog,
  clock,
  read,
  clientAddress,
  panelUrl,
  routes,
  budgets,
}: TravellerParts): SiteRoute[] {
  const visit = (
    path: string,
    methods: string,
    answer: (visit: Visit) => SiteReply | Promise<SiteReply>,
  ): SiteRoute => ({
    verb: 'any',
    path,
    async handle(incoming) {
      const { request, params, headers } = incoming;
      if (!methods.split(', ').includes(request.method ?? '')) return notAllowed(methods);
      const query = new URLSearchParams(splitTarget(request.url ?? '').query);
      const language = chooseLanguage(query.get('lang'), headers['accept-language']);
      const link = findLink(params.token ?? '');
      const shared = link && (await read(`page ${params.token}`, clientAddress(request), link.open));
      return shared ? answer({ ...incoming, links: link.links, help: link.help, shared, language }) : missing(language);
    },
  });

  /** Pages of what several visitors share for a moment (`crowd.ts`): the same for all of them with the same phone and language. */
  const pages = new WeakMap<SharedEsim, Map<string, SiteReply>>();

  function written(found: Visit, isRead: boolean): SiteReply {
    const view = viewOf(found);
    const name = `${view.language} ${view.device} ${isRead}`;
    const known = pages.get(found.shared) ?? new Map<string, SiteReply>();
    pages.set(found.shared, known);
    const ready = known.get(name);
    if (ready) return ready;
    const { text, headers } = (isRead ? travellerPage : announcement)(view);
    const made = page(200, HTML, Buffer.from(text), headers);
    known.set(name, made);
    return made;
  }

  const viewOf = ({ shared, language, headers, params }: Visit): View => ({
    shared,
    language,
    device: deviceOf(headers['user-agent']),
    notes: notesOf(shared, catalog),
    path: `/e/${params.token}`,
    now: clock.now() + shared.aheadMs,
  });

  return [
    visit('/e/{token}', 'GET, HEAD', (found) => {
      // Link previews in messengers get no codes, and so neither do the people who see them.
      const isRead = isPerson(found.headers);
      if (found.request.method === 'GET' && isRead) found.links.visits.view(found.shared.linkedOrderId);
      return written(found, isRead);
    }),
    visit('/e/{token}/usage', 'GET, HEAD', async (found) => {
      const shared = { ...found.shared, usage: await found.links.freshUsage(found.shared) };
      return page(200, HTML, usageCard(viewOf({ ...found, shared }), { isRefreshed: true }).text, inert);
    }),
    visit('/e/{token}/logo', 'GET, HEAD', ({ shared: { brand }, language }) =>
      brand.logo ? page(200, brand.logo.type, brand.logo.bytes, { ...inert, ...keptByPhone }) : missing(language),
    ),
    // Browsers post here when an install link is tapped. What other sites make them post does not count.
    visit('/e/{token}/installs', 'POST', ({ links, shared, request }) => {
      if (isSameOrigin(request, panelUrl)) links.visits.install(shared.linkedOrderId, clock.now());
      return page(200, TEXT, '', inert);
    }),
    visit('/e/{token}/device', 'GET, HEAD', (found) => {
      const asked = new URLSearchParams(splitTarget(found.request.url ?? '').query).get('model') ?? '';
      const { text, headers } = devicePage(viewOf(found), asked);
      return page(200, HTML, text, headers);
    }),
    ...helpRoutes({
      catalog,
      panelUrl,
      routes,
      budgets,
      visit: (path, methods, answer) =>
        visit(path, methods, (found) =>
          answer({
            ...found,
            view: viewOf(found),
            inTurn: (name, work) => read(name, clientAddress(found.request), work),
            refresh: () => found.links.freshUsage(found.shared),
          }),
        ),
    }),
    {
      verb: 'any',
      path: '/e/{*}',
      handle: ({ headers }) => missing(chooseLanguage(null, headers['accept-language'])),
    },
  ];
}

const notAllowed = (methods: string): SiteReply =>
  page(405, TEXT, 'Method not allowed\n', { ...inert, allow: methods });

function missing(language: Language): SiteReply {
  const { text, headers } = missingPage(language);
  return page(404, HTML, text, headers);
}

/** An iPad asks for pages as a computer does, and shows them on a screen that can be scanned. */
function deviceOf(userAgent = ''): Device {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'iphone';
  return /Android/.test(userAgent) ? 'android' : 'other';
}

/** Messengers open every link to draw a preview, and browsers some in advance. Neither is somebody who looks at the page. */
function isPerson(headers: IncomingHttpHeaders): boolean {
  const purpose = String(headers['sec-purpose'] ?? headers.purpose ?? '');
  const isPreview = /bot\b|crawl|spider|preview|facebookexternalhit|whatsapp|slack|discord|skype|viber/i;
  return !purpose.includes('prefetch') && !isPreview.test(headers['user-agent'] ?? '');
}

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);
const MAX_RANGES = 30;

/** The language asked for in the address, or the browser's favourite among ours, or English. */
function chooseLanguage(named: string | null, acceptLanguage: string | undefined): Language {
  if (named !== null && isLanguage(named)) return named;
  const ranges = (acceptLanguage ?? '').split(',', MAX_RANGES).map((range) => {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const weight = /^\s*q=([\d.]+)\s*$/.exec(parameters[0] ?? 'q=1')?.[1] ?? '0';
    return { language: tag.split('-')[0] ?? '', weight: Number(weight) || 0 };
  });
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  return wanted.map(({ language }) => language).find(isLanguage) ?? 'en';
}
