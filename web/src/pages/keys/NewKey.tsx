import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { createKey } from '../../api/keys.ts';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../components/Problem.tsx';
import { SecretDialog } from '../../components/SecretDialog.tsx';
import { type Mode, modes } from '../../paths.ts';
import { modeColor, modeName } from '../../theme.ts';
import { useMode } from '../../useMode.ts';
import { AllowListField } from './AllowListField.tsx';
import { KeyFields, keyFieldsOf } from './KeyFields.tsx';

/** The button, the form it opens, and the new key, which is shown once. */
export function NewKey() {
  const current = useMode().mode;
  const [opened, { open, close }] = useDisclosure();
  const [mode, setMode] = useState<Mode>(current);
  const create = useChange(createKey, ['keys']);
  const start = () => {
    create.reset();
    setMode(current);
    open();
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={start}>
        New key
      </Button>
      <Modal opened={opened} onClose={close} title="New API key">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const form = new FormData(event.currentTarget);
            const wanted = { mode, allow_list: String(form.get('allow_list')), ...keyFieldsOf(form) };
            create.mutate(wanted, { onSuccess: close });
          }}
        >
          <Stack>
            <div>
              <SegmentedControl
                fullWidth
                aria-label="World"
                color={modeColor[mode]}
                data={modes.map((value) => ({ value, label: modeName[value] }))}
                value={mode}
                onChange={setMode}
              />
              <Text size="xs" c="dimmed" mt={6}>
                {mode === 'live' ? 'Live keys spend real money.' : 'Sandbox keys use test money and return test eSIMs.'}
              </Text>
            </div>
            <KeyFields />
            <AllowListField defaultValue="" />
            <Problem error={create.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending}>
                Create key
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <SecretDialog title="Your new API key" what="the key" secret={create.data?.secret} onClose={create.reset}>
        Send it in the X-API-Key header, never in a URL. We store only a hash of it, so if you lose it, create a new
        key.
      </SecretDialog>
    </>
  );
}
