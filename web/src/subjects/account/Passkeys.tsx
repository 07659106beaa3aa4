import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { Form } from '../../parts/Form.tsx';
import { IconFingerprint } from '../../parts/icons.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { Section } from '../../parts/Section.tsx';
import { newKey } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { When } from '../../parts/When.tsx';
import { canUsePasskeys, makePasskey } from '../passkeys/passkeys.ts';
import type { OwnAccount, Passkey } from './account.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface PasskeysProps {
  own: OwnAccount;
  rescuer: string;
}

/** Passkeys of the person: they sign in with one alone, or give it in place of a code. */
export function Passkeys({ own, rescuer }: PasskeysProps) {
  const all = useQuery(own.passkeys);
  const isPossible = all.data?.available === true && canUsePasskeys();
  return (
    <Section
      title="Passkeys"
      about="Sign in with a fingerprint, a face, a PIN or a security key: no password, and nothing that a fake page could take from you."
      actions={isPossible && <AddPasskey own={own} rescuer={rescuer} />}
      flush
    >
      <Loaded query={all} lines={2}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <Empty icon={IconFingerprint} title="No passkeys yet">
              {isPossible
                ? 'Once you have one, a password alone no longer signs you in.'
                : 'They need a current browser, and an address that starts with https.'}
            </Empty>
          ) : (
            <DataTable label="Passkeys" columns={columnsOf(own)} rows={passkeys} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
    </Section>
  );
}

const columnsOf = (own: OwnAccount): Column<Passkey>[] => [
  { label: 'Name', cell: ({ name }) => <span style={{ overflowWrap: 'anywhere' }}>{name}</span> },
  { label: 'Added', cell: ({ created_at }) => <When at={created_at} /> },
  { label: 'Last used', cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <When at={last_used_at} />) },
  { label: 'Actions', kind: 'actions', cell: (passkey) => <Remove of={passkey} own={own} /> },
];

function Remove({ of: { id, name }, own }: { of: Passkey; own: OwnAccount }) {
  const client = useQueryClient();
  const remove = useChange(
    () => own.removePasskey(id),
    undefined,
    () => client.invalidateQueries(),
  );
  return (
    <ConfirmButton size="xs" label="Remove" title={`Remove the passkey “${name}”?`} change={remove}>
      It no longer signs you in, and you are signed out everywhere else. The device keeps its half, which you can delete
      in its settings.
    </ConfirmButton>
  );
}

/** The browser is asked after the server has been, which may want the password again first. */
function AddPasskey({ own, rescuer }: PasskeysProps) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const readAgain = () => client.invalidateQueries();
  const add = useChange(
    (name: string) => async (key: string) => {
      const { options } = await own.startPasskey()(newKey());
      return own.addPasskey({ name, passkey: await makePasskey(options) })(key);
    },
    undefined,
    async ({ recovery_codes }) => {
      setOpen(false);
      if (recovery_codes === null) await readAgain();
      else setCodes(recovery_codes);
    },
  );
  return (
    <>
      <Button
        size="xs"
        onClick={() => {
          add.reset();
          setOpen(true);
        }}
      >
        Add a passkey
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Add a passkey">
        <Form onSubmit={(typed) => add.mutateAsync(String(typed.get('name'))).catch(() => {})}>
          <Stack>
            <TextInput
              name="name"
              label="Name"
              description="So that you know it again: the device it is on, or the key on your ring."
              placeholder="Laptop"
              maxLength={60}
              autoComplete="off"
              required
              data-autofocus
            />
            <Text size="sm" c="dimmed">
              Your browser then asks where to keep it.
            </Text>
            <Problem error={add.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setOpen(false)}>
                Cancel
              </Button>
              <Button type="submit" loading={add.isPending}>
                Continue
              </Button>
            </Group>
          </Stack>
        </Form>
      </Modal>
      <RecoveryCodes
        codes={codes}
        rescuer={rescuer}
        onClose={() => {
          setCodes(undefined);
          void readAgain();
        }}
      />
    </>
  );
}
