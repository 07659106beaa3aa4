import { fill, formatsOf, languages } from '../../domains/messages/texts/texts.ts';
import { refillLink } from '../../domains/travellers/travellers.ts';
import { HOUR, MINUTE, SECOND } from '../../platform/clock.ts';
import { type Html, html } from '../../platform/contract/html.ts';
import { icons } from './style.ts';
import type { View } from './view.ts';

/** Figures older than this are called old. The script does the same with those on a page that stays open. */
export const OLD_AFTER_MS = HOUR;
/** The same right after a refresh: so old, they can only be the last ones before the supplier stopped answering. */
const UNANSWERED_AFTER_MS = 5 * MINUTE;

/** Where the partner sells more data. Below the figures once the eSIM is installed; before, that is what comes first. */
export function refillButton(
  { shared, language }: Pick<View, 'shared' | 'language'>,
  id: 'refill' | 'later',
): Html | false {
  const { takesRefills, usage, esim, brand } = shared;
  if (!takesRefills || usage?.status === 'expired') return false;
  return html`<a class="go${usage?.status !== 'depleted' && ' plain'}" id="${id}" href="${refillLink(brand.refillUrl, esim.iccid)}" rel="noreferrer">${icons.plus}${languages[language].usage.refill}</a>`;
}

/** How much is left, of data and of time. Also an answer of its own, which the page fetches while it is looked at (`isAsked`). */
export function usageCard({ shared, notes, language, path, now }: View, { isRefreshed = false } = {}): Html {
  const texts = languages[language];
  const { usage } = shared;
  const status = usage?.status ?? 'not_active';
  const from = path !== null && html` data-from="${path}/usage?lang=${language}"`;
  const { paused } = texts.help.steps;
  const [tone, state] = shared.isSuspended ? ['warning', paused.title] : [usage?.tone ?? 'ok', texts.states[status]];
  return html`<section class="card ${tone}" id="usage"${from}>
<div class="head"><h2>${texts.usage.title}</h2><span class="state">${state}</span></div>
${shared.isSuspended && html`<p class="note">${paused.text}</p>`}
${
  usage === null || status === 'not_active'
    ? html`<p class="note">${notes.startsOnInstall ? texts.usage.startsOnInstall : texts.usage.startsOnUse}</p>`
    : figures(usage)
}
${shared.isInstalled && refillButton({ shared, language }, 'refill')}
</section>`;

  function figures(of: NonNullable<typeof usage>): Html {
    const { data, left, time } = formatsOf(language);
    const { isUnlimited } = of;
    const used = fill(texts.usage.used, { used: data(of.usedMb) });
    const most = isUnlimited
      ? texts.unlimited
      : fill(texts.usage.left, { left: data(of.remainingMb), total: data(of.totalMb) });
    const over = status === 'depleted' ? texts.usage.depleted : status === 'expired' ? texts.usage.expired : undefined;
    return html`<p class="big">${over ?? most}</p>
${!isUnlimited && html`<svg class="bar" role="img" aria-label="${most}"><rect width="${status === 'expired' ? 0 : of.percentRemaining}%" height="100%"/></svg>`}
<p class="soft">${used}</p>
<dl class="facts">${
      of.expiresAt !== null &&
      html`${status !== 'expired' && html`<div><dt>${texts.usage.timeLeft}</dt><dd>${left(of.expiresAt.getTime() - now)}</dd></div>`}
<div><dt>${texts.usage.validUntil}</dt><dd>${moment(of.expiresAt)}</dd></div>`
    }</dl>
${age(of.fetchedAt)}`;

    function moment(at: Date): Html {
      return html`<time datetime="${at.toISOString()}">${time(at)}</time>`;
    }

    /** Both ways to say it: which one is shown may change while the page is open. */
    function age(at: Date): Html {
      const ms = Math.max(0, now - at.getTime());
      const isOld = ms > (isRefreshed ? UNANSWERED_AFTER_MS : OLD_AFTER_MS);
      const said = (text: string) => {
        const [before, after = ''] = text.split('{time}');
        return html`${before}${moment(at)}${after}`;
      };
      return html`<div id="age"${isOld && html` class="old"`} data-age="${Math.floor(ms / SECOND)}"><p class="note soft">${said(texts.usage.asOf)}</p><p class="stale">${said(texts.usage.old)}</p></div>`;
    }
  }
}
