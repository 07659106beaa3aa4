import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../../parts/server/useChange.ts';
import { SubscriptionForm } from '../../../subjects/webhooks/SubscriptionForm.tsx';
import { changeSubscription, type Subscription, type WantedSubscription, webhookEvents } from '../../api/webhooks.ts';
import type { Mode } from '../../paths.ts';

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
