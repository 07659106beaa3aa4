import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { SubscriptionForm } from '../../../subjects/webhooks/SubscriptionForm.tsx';
import { allPartners, eventsOf, type PartnerSubscription } from '../../api/partners.ts';
import { useRun } from '../../api/run.ts';
import { subscriptionInput } from './inputs.ts';

export function EditWebhook({ of }: { of: PartnerSubscription }) {
  const [opened, { open, close }] = useDisclosure();
  const events = useQuery({ ...eventsOf(of.mode), enabled: opened });
  const set = useRun('webhook set', allPartners);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          set.reset();
          open();
        }}
      >
        Edit
      </Button>
      {opened && (
        <SubscriptionForm
          title="Edit webhook"
          submitLabel="Save"
          events={events}
          initial={of}
          isPending={set.isPending}
          error={set.error}
          onSubmit={(wanted) => set.mutate(subscriptionInput(of.id, wanted), { onSuccess: close })}
          onClose={close}
        />
      )}
    </>
  );
}
