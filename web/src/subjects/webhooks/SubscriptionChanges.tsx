import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { EventsView } from '../../../../src/entry/site/views/records.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import type { Mode } from '../../parts/mode.ts';
import { SecretDialog } from '../../parts/SecretDialog.tsx';
import type { Change } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { SubscriptionForm } from './SubscriptionForm.tsx';
import type { Subscription, WantedSubscription } from './webhooks.ts';

/** How an application subscribes and changes subscriptions. */
export interface SubscriptionCalls {
  /** Read again afterwards. */
  readonly touches: QueryKey;
  readonly events: (mode: Mode) => UseQueryOptions<EventsView, Error, EventsView, string[]>;
  readonly create: (mode: Mode, wanted: WantedSubscription) => Change<{ readonly secret: string }>;
  readonly change: (id: string, wanted: WantedSubscription) => Change<unknown>;
}

interface NewSubscriptionProps {
  calls: SubscriptionCalls;
  title: (mode: Mode) => string;
  /** Chosen unless somebody chooses otherwise. */
  standard: readonly string[];
  /** What opens the form. */
  button: (open: (mode: Mode) => void) => ReactNode;
  /** What to do with the signing secret, which is shown once. */
  children: ReactNode;
}

export function NewSubscription({ calls, title, standard, button, children }: NewSubscriptionProps) {
  const [mode, setMode] = useState<Mode>();
  const events = useQuery({ ...calls.events(mode ?? 'live'), enabled: mode !== undefined });
  const create = useChange(
    ({ mode: world, ...wanted }: WantedSubscription & { mode: Mode }) => calls.create(world, wanted),
    calls.touches,
  );
  const close = () => setMode(undefined);
  return (
    <>
      {button((wanted) => {
        create.reset();
        setMode(wanted);
      })}
      {mode && (
        <SubscriptionForm
          title={title(mode)}
          submitLabel="Add webhook"
          events={events}
          initial={{ url: '', events: [...standard] }}
          isPending={create.isPending}
          error={create.error}
          onSubmit={(wanted) => create.mutate({ mode, ...wanted }, { onSuccess: close })}
          onClose={close}
        />
      )}
      <SecretDialog
        title="Signing secret"
        what="the signing secret"
        secret={create.data?.secret}
        onClose={create.reset}
      >
        {children}
      </SecretDialog>
    </>
  );
}

interface EditSubscriptionProps {
  calls: SubscriptionCalls;
  mode: Mode;
  of: Subscription;
}

export function EditSubscription({ calls, mode, of }: EditSubscriptionProps) {
  const [opened, { open, close }] = useDisclosure();
  const events = useQuery({ ...calls.events(mode), enabled: opened });
  const change = useChange((wanted: WantedSubscription) => calls.change(of.id, wanted), calls.touches);
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

type Confirmed = Pick<ComponentProps<typeof ConfirmButton>, 'change'>;

export const FinishRotation = ({ receiver, change }: Confirmed & { receiver: 'your receiver' | 'the receiver' }) => (
  <ConfirmButton size="xs" label="Finish rotation" title="Stop signing with the old secret?" change={change}>
    From now on deliveries are signed with the new secret only. Make sure {receiver} accepts it.
  </ConfirmButton>
);

export const DeleteSubscription = ({ of, change }: Confirmed & { of: Subscription }) => (
  <ConfirmButton size="xs" label="Delete" title="Delete this webhook?" change={change}>
    We’ll stop sending events to {of.url}, including those still queued. This cannot be undone.
  </ConfirmButton>
);
