import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { dollars } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useAction } from '../../api/actions.ts';
import { allPartners, type Partner } from '../../api/partners.ts';
import { useMay } from '../../useMay.ts';
import { withInput } from './withInput.ts';

/** Stops a partner, for a while or for good. */
export function StatusActions({ of }: { of: Partner }) {
  const may = useMay();
  const id = String(of.id);
  const set = useAction('partner set', allPartners);
  const openLive = useAction('partner open-live', allPartners);
  const close = useAction('partner delete', allPartners);
  return (
    <Section title="Access">
      <Stack gap="md">
        {may('manage') && !of.is_live && (
          <Row about="Live is not open. If the partner has applied for it, decide its application instead.">
            <ConfirmButton
              size="xs"
              label="Open live"
              title={`Open live for ${of.name}?`}
              tone="give"
              change={withInput(openLive, { id })}
            >
              Its owners and developers can then make live keys; purchases are charged to its balance or credit. Its
              members are notified by mail if mail is set up. There is no way back; an account that must stop is
              suspended or disabled.
            </ConfirmButton>
          </Row>
        )}
        {may('money') && (
          <Row
            about={
              of.suspended
                ? 'Purchases are refused.'
                : 'While suspended, purchases are refused. Reading and webhooks work.'
            }
          >
            {of.suspended ? (
              <FormDialog
                label="Lift suspension"
                title={`Let ${of.name} buy again?`}
                submitLabel="Lift suspension"
                change={set}
                onSubmit={() => set.mutateAsync({ id, suspended: 'false' })}
              >
                <Text size="sm">The next purchase goes through if the partner can pay for it.</Text>
              </FormDialog>
            ) : (
              <ConfirmButton
                size="xs"
                label="Suspend"
                title={`Suspend ${of.name}?`}
                change={withInput(set, { id, suspended: 'true' })}
              >
                Every purchase is refused until you lift the suspension, and its members get a mail if mail is set up.
                Open orders are delivered.
              </ConfirmButton>
            )}
          </Row>
        )}
        {may('money') && (
          <Row
            about={
              of.disabled
                ? 'Every API call is refused, and members cannot sign in.'
                : 'Disabling refuses every API call and signs all members out.'
            }
          >
            {of.disabled ? (
              <FormDialog
                label="Enable"
                title={`Enable ${of.name} again?`}
                submitLabel="Enable"
                change={set}
                onSubmit={() => set.mutateAsync({ id, disabled: 'false' })}
              >
                <Text size="sm">Its keys work again within a second, and its members can sign in.</Text>
              </FormDialog>
            ) : (
              <ConfirmButton
                size="xs"
                label="Disable"
                title={`Disable ${of.name}?`}
                change={withInput(set, { id, disabled: 'true' })}
              >
                Every call with its keys is refused within a second, reading included, and its members are signed out.
                Travellers keep their eSIMs. You can enable it again.
              </ConfirmButton>
            )}
          </Row>
        )}
        {may('manage') && (
          <Row about="Closing is for good. Settle what it owes, or pay out its balance, first.">
            <ConfirmButton
              size="xs"
              label="Close account"
              title={`Close ${of.name} for good?`}
              word={of.name}
              change={withInput(close, { id })}
            >
              Its keys stop working, its members are removed, and its wallet cannot be changed any more. {leftOver(of)}
              Orders and money stay on record. This cannot be undone.
            </ConfirmButton>
          </Row>
        )}
      </Stack>
    </Section>
  );
}

function leftOver({ wallet: { balance, debt } }: Partner): string {
  const parts = [
    Number(balance) !== 0 && `holds ${dollars(balance)}`,
    Number(debt) > 0 && `owes ${dollars(debt)}`,
    Number(debt) < 0 && `is owed ${dollars(-Number(debt))}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `It still ${parts.join(' and ')}. `;
}

function Row({ about, children }: { about: string; children: ReactNode }) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" flex="1 1 16rem">
        {about}
      </Text>
      {children}
    </Group>
  );
}
