import {
  type Incident,
  incidents,
  readService,
  type ServiceDay,
  type ServicePart,
  SHOWN_DAYS,
  serviceParts,
} from '../../domains/insight/status-page/status-page.ts';
import { type Clock, DAY, MINUTE } from '../../platform/clock.ts';
import { type Html, html } from '../../platform/contract/html.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Log } from '../../platform/log.ts';
import type { PublicPage, Site } from './document.ts';

interface Status {
  readonly at: Date;
  /** Undefined: they cannot be read now. */
  readonly found:
    | {
        readonly days: readonly ServiceDay[];
        readonly latest: readonly Omit<ServiceDay, 'day'>[];
        readonly incidents: readonly Incident[];
      }
    | undefined;
}

export type ReadStatus = (now: number) => Promise<NonNullable<Status['found']>>;

const MOST_INCIDENTS = 50;
/** However many visitors there are, the database is queried once in this time. */
const KEPT_MS = MINUTE / 2;

export async function readStatus(db: Queryable, now: number): Promise<NonNullable<Status['found']>> {
  const since = new Date(now - SHOWN_DAYS * DAY);
  const [service, written] = await Promise.all([
    readService(db, now),
    incidents.list(db, { since, limit: MOST_INCIDENTS }),
  ]);
  return { ...service, incidents: written };
}

/** One reading for all visitors within half a minute. While the database is away the page says so: that is when it matters most. */
export function statusReader(parts: {
  readonly readStatus: ReadStatus;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}): () => Promise<Status> {
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Status> | undefined;
  return () => {
    const now = parts.clock.now();
    if (reading && now - readAt < KEPT_MS && now >= readAt) return reading;
    readAt = now;
    reading = parts.readStatus(now).then(
      (found) => ({ at: new Date(now), found }),
      (error) => {
        parts.log.warn({ err: error }, 'the status page could not read its measurements');
        reading = undefined;
        return { at: new Date(now), found: undefined };
      },
    );
    return reading;
  };
}

const parts: Readonly<Record<ServicePart, readonly [name: string, how: string]>> = {
  api: ['API', 'Share of calls to the live API that were answered without a server error.'],
  webhooks: ['Webhooks', 'Share of checks, one a minute, at which no delivery was more than five minutes late.'],
  suppliers: ['Suppliers', 'Share of our calls to eSIM suppliers that were answered.'],
};

type Tone = 'ok' | 'warn' | 'bad' | 'none';
/** From which share a day is good, and from which it is fair. */
const GOOD = 0.999;
const FAIR = 0.99;

const shareOf = ({ measured, failed }: Pick<ServiceDay, 'measured' | 'failed'>): number =>
  (measured - failed) / measured;

function toneOf(share: number | undefined): Tone {
  if (share === undefined) return 'none';
  return share >= GOOD ? 'ok' : share >= FAIR ? 'warn' : 'bad';
}

/** Rounded down, so that a day with a fault is never 100 %. No counts: they would reveal how much is sold here. */
const percent = (share: number): string => `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const momentOf = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`;

export function statusPage(site: Site, { at, found }: Status): PublicPage {
  const body = html`<div class="middle"><h1>Status</h1>${
    found === undefined
      ? html`<p class="state bad">Our measurements cannot be read at the moment. The service may be disturbed.</p>`
      : html`${banner(found)}${openOnes(found.incidents)}${serviceParts.map((part) => partOf(part, at, found))}${pastOnes(found.incidents)}`
  }
<p class="soft">These are our own measurements. They cannot show calls that never reached us; we report those as incidents. As of ${momentOf(at)}.</p></div>`;
  return {
    path: '/status',
    title: 'Status',
    description: `How the API, webhooks and suppliers of ${site.settings.name} have been working in the last ${SHOWN_DAYS} days, and incidents.`,
    body,
  };
}

type Found = NonNullable<Status['found']>;

/** What operators wrote comes first; without an open incident, what we measured in the last hour or two. */
function banner({ latest, incidents }: Found): Html {
  const open = incidents.filter(({ resolvedAt, impact }) => !resolvedAt && impact !== 'maintenance');
  if (open.some(({ impact }) => impact === 'major')) return html`<p class="state bad">There is a major problem.</p>`;
  if (open.length > 0) return html`<p class="state warn">There is a problem.</p>`;
  const tones = latest.map((one) => toneOf(shareOf(one)));
  if (tones.includes('bad')) return html`<p class="state bad">More calls than usual are failing.</p>`;
  if (tones.includes('warn')) return html`<p class="state warn">Some calls are failing.</p>`;
  if (tones.length === 0) return html`<p class="state none">Nothing was measured in the last hour.</p>`;
  return html`<p class="state ok">No known problems.</p>`;
}

function partOf(part: ServicePart, at: Date, { days }: Found): Html {
  const [name, how] = parts[part];
  const own = new Map(days.filter((one) => one.part === part).map((one) => [dayOf(one.day), one]));
  const shown = Array.from({ length: SHOWN_DAYS }, (_, i) => {
    const day = dayOf(new Date(at.getTime() - (SHOWN_DAYS - 1 - i) * DAY));
    const found = own.get(day);
    const share = found && shareOf(found);
    return { day, share, tone: toneOf(share), said: share === undefined ? 'not measured' : percent(share) };
  });
  const measured = shown.filter(({ share }) => share !== undefined);
  const below = measured.filter(({ tone }) => tone !== 'ok');
  const all = [...own.values()].reduce(
    (sum, one) => ({ measured: sum.measured + one.measured, failed: sum.failed + one.failed }),
    { measured: 0, failed: 0 },
  );
  const said =
    measured.length === 0
      ? 'No measurements yet.'
      : `${measured.length} of ${SHOWN_DAYS} days measured, ${measured.length - below.length} of them at 99.9 % or better.`;
  return html`<section class="part"><div class="head"><h2>${name}</h2><p>${measured.length === 0 ? 'not measured' : percent(shareOf(all))}</p></div>
<p class="soft">${how}</p>
<svg class="days" viewBox="0 0 ${SHOWN_DAYS * 4 - 1} 36" preserveAspectRatio="none" role="img" aria-label="${said}">${shown.map(
    ({ day, tone, said: share }, i) =>
      html`<rect class="${tone}" x="${i * 4}" width="3" height="36"><title>${day}: ${share}</title></rect>`,
  )}</svg><p class="ends"><span>${shown[0]?.day ?? ''}</span><span>today</span></p>
<p class="soft">${said}${below.length > 0 && html` Below that: ${below.map(({ day, said: share }) => `${day} (${share})`).join(', ')}.`}</p></section>`;
}

function openOnes(incidents: readonly Incident[]): Html {
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null);
  return html`${open.length > 0 && html`<h2>Now</h2>${open.map(incidentOf)}`}`;
}

function pastOnes(incidents: readonly Incident[]): Html {
  const past = incidents.filter(({ resolvedAt }) => resolvedAt !== null);
  return html`<h2>Past incidents</h2>${past.length === 0 ? html`<p>None in the last ${SHOWN_DAYS} days.</p>` : past.map(incidentOf)}`;
}

const impactTones: Readonly<Record<Incident['impact'], readonly [tone: Tone, name: string]>> = {
  maintenance: ['none', 'Planned work'],
  minor: ['warn', 'Problem'],
  major: ['bad', 'Major problem'],
};

function incidentOf({ title, impact, parts: concerned, startedAt, resolvedAt, updates }: Incident): Html {
  const [tone, name] = impactTones[impact];
  return html`<article class="incident ${resolvedAt ? 'none' : tone}"><h3>${title}</h3>
<p class="soft">${name}: ${concerned.map((part) => parts[part][0]).join(', ')}. From ${momentOf(startedAt)}${resolvedAt && html` to ${momentOf(resolvedAt)}`}.</p>
<ol>${updates.map(({ status, text, writtenAt }) => html`<li><strong>${statusWords[status]}</strong> <span class="soft">${momentOf(writtenAt)}</span><p>${text}</p></li>`)}</ol></article>`;
}

const statusWords: Readonly<Record<Incident['updates'][number]['status'], string>> = {
  investigating: 'Investigating',
  identified: 'Cause found',
  monitoring: 'Watching',
  resolved: 'Resolved',
};
