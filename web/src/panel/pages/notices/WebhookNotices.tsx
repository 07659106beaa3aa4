import { count } from '../../../parts/count.ts';
import type { Mode } from '../../../parts/mode.ts';
import { NextTry } from '../../../subjects/webhooks/NextTry.tsx';
import type { Notices } from '../../api/notices.ts';
import { paths } from '../../paths.ts';
import { Notice } from './Notice.tsx';

/** Which receivers no longer get events, what happens to the events, and how to continue. */
export function WebhookNotices({ mode, of }: { mode: Mode; of: Notices }) {
  const disabled = of.webhooks.filter(({ is_disabled }) => is_disabled);
  const paused = of.webhooks.filter(({ is_disabled }) => !is_disabled);
  const links = (hooks: Notices['webhooks']) =>
    hooks.map((hook) => ({ to: paths.webhook(mode, hook.id), label: `${hook.url}${heldBy(hook)}` }));
  return (
    <>
      {disabled.length > 0 && (
        <Notice
          name="disabled"
          state={disabled.map(({ id }) => id).join(' ')}
          mode={mode}
          color="red"
          title={disabled.length === 1 ? 'A webhook is disabled' : `${disabled.length} webhooks are disabled`}
          links={links(disabled)}
        >
          Ten attempts in a row failed, so we stopped sending. Events are held for 7 days. <WhenTried of={disabled} />
        </Notice>
      )}
      {paused.length > 0 && (
        <Notice
          name="paused"
          state={paused.map(({ id }) => id).join(' ')}
          mode={mode}
          color="yellow"
          title={paused.length === 1 ? 'A paused webhook holds events' : `${paused.length} paused webhooks hold events`}
          links={links(paused)}
        >
          They are sent when you resume the webhook. What is held for more than 7 days is given up.
        </Notice>
      )}
    </>
  );
}

const heldBy = ({ held, more }: Notices['webhooks'][number]): string =>
  held === 0 ? '' : ` (${more ? `${held} or more events` : count(held, 'event')} held)`;

/** The earliest next attempt: one notice is about all of them. */
function WhenTried({ of }: { of: Notices['webhooks'] }) {
  const tried = of.filter(({ next_try_at }) => next_try_at !== null);
  const next = tried.toSorted((a, b) => String(a.next_try_at).localeCompare(String(b.next_try_at)))[0];
  return (
    <>
      {next && <NextTry at={next.next_try_at} held={next.held} />} {next && 'The first success sends what is held. '}
      {tried.length < of.length &&
        'One that did not answer for three days is no longer tried: resume it once your receiver works.'}
    </>
  );
}
