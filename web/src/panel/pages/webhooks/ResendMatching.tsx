import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { Done } from '../../../parts/Done.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { type DeliveryFilter, type Resendable, resendable, resendMatching } from '../../api/webhooks.ts';

interface ResendMatchingProps {
  mode: Mode;
  id: string;
  filter: DeliveryFilter;
  isHeld: boolean;
}

/** Sends all deliveries that match the log's filters again, after showing how many there are. */
export function ResendMatching({ mode, id, filter, isHeld }: ResendMatchingProps) {
  const [opened, { open, close }] = useDisclosure();
  const again = useChange((as_of: string) => resendMatching(mode, id, filter, as_of), [mode, 'webhooks']);
  const start = () => {
    again.reset();
    open();
  };
  return (
    <Stack gap="xs" align="flex-end">
      <Button size="xs" variant="default" onClick={start}>
        Send these again
      </Button>
      {again.data && <Done>{`${count(again.data.resent, 'delivery', 'deliveries')} queued to be sent again.`}</Done>}
      <Modal opened={opened} onClose={close} title="Send deliveries again?">
        {opened && (
          <Confirm
            {...{ mode, id, filter, isHeld }}
            isPending={again.isPending}
            error={again.error}
            onCancel={close}
            onConfirm={(as_of) => again.mutate(as_of, { onSuccess: close })}
          />
        )}
      </Modal>
    </Stack>
  );
}

interface ConfirmProps extends ResendMatchingProps {
  isPending: boolean;
  error: unknown;
  onCancel: () => void;
  onConfirm: (as_of: string) => void;
}

function Confirm({ mode, id, filter, isHeld, isPending, error, onCancel, onConfirm }: ConfirmProps) {
  const found = useQuery(resendable(mode, id, filter));
  return (
    <Loaded query={found}>
      {(it) => (
        <Stack>
          <Text size="sm">{sentence(it, filter)}</Text>
          {it.without_body > 0 && !it.too_many && (
            <Text size="sm">
              {`${count(it.without_body, 'delivery', 'deliveries')} can’t be sent again: bodies are stored for 30 days.`}
            </Text>
          )}
          {isHeld && it.count > 0 && (
            <Text size="sm">This webhook is not active: they are sent when it is active again.</Text>
          )}
          <Problem error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button loading={isPending} disabled={it.count === 0 || it.too_many} onClick={() => onConfirm(it.as_of)}>
              {it.count === 0 || it.too_many ? 'Send again' : `Send ${count(it.count, 'delivery', 'deliveries')} again`}
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  );
}

function sentence({ count: matching, too_many, most }: Resendable, { status }: DeliveryFilter): string {
  if (too_many)
    return `More than ${count(most, 'delivery', 'deliveries')} match. Choose one status, one event or a shorter time.`;
  if (matching === 0) return 'No delivery that matches these filters can be sent again.';
  if (status === 'failed') return `${count(matching, 'failed delivery', 'failed deliveries')} will be retried now.`;
  const which = status === undefined ? ', including those it has accepted' : '';
  return `We’ll send ${count(matching, 'event')} to your server again${which}. Their event ids stay the same, so your receiver can skip those it has already handled.`;
}
