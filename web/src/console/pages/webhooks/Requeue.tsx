import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { RequeueableView } from '../../../../../src/entry/console/system/webhooks.ts';
import { count } from '../../../parts/count.ts';
import { Done } from '../../../parts/Done.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { type ActionInput, useAction } from '../../api/actions.ts';
import { type DeadFilter, requeueable, webhooksKey } from '../../api/service.ts';

const deliveries = (number: number) => count(number, 'delivery', 'deliveries');

/** Sends all dead letters that match the filters again, after showing how many there are. */
export function Requeue({ filter, label }: { filter: DeadFilter; label: string }) {
  const [opened, { open, close }] = useDisclosure();
  const requeue = useAction('webhook requeue', webhooksKey);
  const start = () => {
    requeue.reset();
    open();
  };
  return (
    <Stack gap="xs" align="flex-end">
      <Button size="xs" variant="default" onClick={start}>
        {label}
      </Button>
      {requeue.data && (
        <Done key={requeue.submittedAt}>
          {deliveries(requeue.data.requeued)} queued to be sent again.
          {'left' in requeue.data && requeue.data.left && ' There are more.'}
        </Done>
      )}
      <Modal opened={opened} onClose={close} title="Send dead letters again?">
        {opened && (
          <Confirm
            filter={filter}
            isPending={requeue.isPending}
            error={requeue.error}
            onCancel={close}
            onConfirm={() => requeue.mutate(inputOf(filter), { onSuccess: close })}
          />
        )}
      </Modal>
    </Stack>
  );
}

type Input = ActionInput<'webhook requeue'>;

/** As the action takes it: times to the second, in UTC. */
function inputOf({ to, from, event, ...filter }: DeadFilter): Input {
  const time = (at: string | undefined) =>
    at === undefined ? undefined : `${at}${at.includes('T') ? '' : 'T00:00'}:00Z`;
  return { ...filter, event: event as Input['event'], from: time(from), until: time(to) };
}

interface ConfirmProps {
  filter: DeadFilter;
  isPending: boolean;
  error: unknown;
  onCancel: () => void;
  onConfirm: () => void;
}

function Confirm({ filter, isPending, error, onCancel, onConfirm }: ConfirmProps) {
  const found = useQuery(requeueable(filter));
  return (
    <Loaded query={found}>
      {(it) => (
        <Stack>
          <Text size="sm">{sentence(it)}</Text>
          {it.count > 0 && (
            <Text size="sm">
              Each gets five more attempts. Event ids stay the same, so receivers can skip what they have already
              handled. What goes to a paused or disabled subscription waits until it is active again.
            </Text>
          )}
          <Problem error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button loading={isPending} disabled={it.count === 0} onClick={onConfirm}>
              {it.count === 0 ? 'Send again' : `Send ${deliveries(it.count)} again`}
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  );
}

function sentence({ count: number, left, most }: RequeueableView): string {
  if (number === 0)
    return 'None of these can be sent again: their bodies are no longer stored, or their subscription or partner is gone.';
  if (left)
    return `More than ${deliveries(most)} match. ${deliveries(most)} are sent now; do it again for more, or narrow them down.`;
  return `We’ll send ${deliveries(number)} again now.`;
}
