import { fill, languages } from '../traveller-texts/traveller-texts.ts';
import { formatsOf } from './formats.ts';
import { type Html, html } from './html.ts';
import type { View } from './view.ts';

/** How much is left, of data and of time. Also an answer of its own, which the page fetches while it is looked at. */
export function usageCard({ shared, notes, language, path, now }: View): Html {
  const texts = languages[language];
  const { usage } = shared;
  const status = usage?.status ?? 'not_active';
  const from = path !== null && html` data-from="${path}/usage?lang=${language}"`;
  return html`<section class="card ${usage?.tone ?? 'ok'}" id="usage"${from}>
<div class="head"><h2>${texts.usage.title}</h2><span class="state">${texts.states[status]}</span></div>
${
  usage === null || status === 'not_active'
    ? html`<p class="note">${notes.startsOnInstall ? texts.usage.startsOnInstall : texts.usage.startsOnUse}</p>`
    : figures(usage)
}
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
<p class="note soft">${asOf(of.fetchedAt)}</p>`;

    function moment(at: Date): Html {
      return html`<time datetime="${at.toISOString()}">${time(at)}</time>`;
    }

    function asOf(at: Date): Html {
      const [before, after = ''] = texts.usage.asOf.split('{time}');
      return html`${before}${moment(at)}${after}`;
    }
  }
}
