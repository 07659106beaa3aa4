import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import { SecretDialog } from '../../../parts/SecretDialog.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { SubscriptionForm } from '../../../subjects/webhooks/SubscriptionForm.tsx';
import type { WantedSubscription } from '../../../subjects/webhooks/webhooks.ts';
import { subscribe, webhookEvents } from '../../api/webhooks.ts';

interface NewSubscriptionProps {
  mode: Mode;
  /** Chosen unless the member chooses otherwise. */
  standard: readonly string[];
}

export function NewSubscription({ mode, standard }: NewSubscriptionProps) {
  const [opened, { open, close }] = useDisclosure();
  const events = useQuery({ ...webhookEvents(mode), enabled: opened });
  const create = useChange((wanted: WantedSubscription) => subscribe(mode, wanted), [mode, 'webhooks']);
  const start = () => {
    create.reset();
    open();
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={start}>
        Add webhook
      </Button>
      {opened && (
        <SubscriptionForm
          title={`New ${mode} webhook`}
          submitLabel="Add webhook"
          events={events}
          initial={{ url: '', events: [...standard] }}
          isPending={create.isPending}
          error={create.error}
          onSubmit={(wanted) => create.mutate(wanted, { onSuccess: close })}
          onClose={close}
        />
      )}
      <SecretDialog
        title="Signing secret"
        what="the signing secret"
        secret={create.data?.secret}
        onClose={create.reset}
      >
        Give it to your receiver, which uses it to check that requests are genuine. “Verify signatures” on this page has
        the code.
      </SecretDialog>
    </>
  );
}
