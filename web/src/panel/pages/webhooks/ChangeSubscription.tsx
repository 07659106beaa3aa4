import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { SubscriptionForm } from '../../../subjects/webhooks/SubscriptionForm.tsx';
import type { Subscription, WantedSubscription } from '../../../subjects/webhooks/webhooks.ts';
import { changeSubscription, webhookEvents } from '../../api/webhooks.ts';

export function ChangeSubscription({ mode, of }: { mode: Mode; of: Subscription }) {
  const [opened, { open, close }] = useDisclosure();
  const events = useQuery({ ...webhookEvents(mode), enabled: opened });
  const change = useChange((wanted: WantedSubscription) => changeSubscription(mode, of.id, wanted), [mode, 'webhooks']);
  const start = () => {
    change.reset();
    open();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={start}>
        Edit
      </Button>
      {opened && (
        <SubscriptionForm
          title="Edit webhook"
          submitLabel="Save"
          events={events}
          initial={of}
          isPending={change.isPending}
          error={change.error}
          onSubmit={(wanted) => change.mutate(wanted, { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  );
}
