import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { Done } from '../../../parts/Done.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { resendEvents, timeline } from '../../api/requests.ts';

/** Sends the order's events to its webhooks again, if there were any. */
export function ResendEvents({ mode, orderId }: { mode: Mode; orderId: string }) {
  const found = useQuery(timeline(mode, orderId)).data;
  const resend = useChange(() => resendEvents(mode, orderId, found?.as_of ?? ''), [mode]);
  if (!found?.steps.some(({ kind }) => kind === 'event')) return null;
  return (
    <>
      <Button size="xs" variant="default" loading={resend.isPending} onClick={() => resend.mutate(undefined)}>
        Resend events
      </Button>
      <Problem error={resend.error} />
      {resend.data && (
        <Done key={resend.submittedAt}>
          {resend.data.resent === 0
            ? 'Nothing to send again: the events are about to be sent, were just sent again, or are too old.'
            : `${count(resend.data.resent, 'delivery', 'deliveries')} queued again.`}
        </Done>
      )}
    </>
  );
}
