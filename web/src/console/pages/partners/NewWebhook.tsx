import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Mode, modeName, modes } from '../../../parts/mode.ts';
import { SecretDialog } from '../../../parts/SecretDialog.tsx';
import { SubscriptionForm } from '../../../subjects/webhooks/SubscriptionForm.tsx';
import { allPartners, eventsOf, type Partner } from '../../api/partners.ts';
import { useRun } from '../../api/run.ts';
import { newSubscriptionInput } from './inputs.ts';

/** Subscribes a URL of the partner; the signing secret is shown once. */
export function NewWebhook({ of, standard }: { of: Partner; standard: readonly string[] }) {
  const [mode, setMode] = useState<Mode>();
  const events = useQuery({ ...eventsOf(mode ?? 'live'), enabled: mode !== undefined });
  const create = useRun<{ subscription_id: string; secret: string }>('webhook create', allPartners);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs">Add webhook</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {modes.map((value) => (
            <Menu.Item
              key={value}
              onClick={() => {
                create.reset();
                setMode(value);
              }}
            >
              {modeName[value]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {mode && (
        <SubscriptionForm
          title={`New ${mode} webhook of ${of.name}`}
          submitLabel="Add webhook"
          events={events}
          initial={{ url: '', events: [...standard] }}
          isPending={create.isPending}
          error={create.error}
          onSubmit={(wanted) =>
            create.mutate(newSubscriptionInput(of.id, mode, wanted), { onSuccess: () => setMode(undefined) })
          }
          onClose={() => setMode(undefined)}
        />
      )}
      <SecretDialog
        title="Signing secret"
        what="the signing secret"
        secret={create.data?.secret}
        onClose={create.reset}
      >
        Give it to the partner over a secure channel: their receiver uses it to check that requests are genuine.
      </SecretDialog>
    </>
  );
}
