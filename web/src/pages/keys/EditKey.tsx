import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { changeKey, type Key } from '../../api/keys.ts';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../components/Problem.tsx';
import { KeyFields, keyFieldsOf } from './KeyFields.tsx';

/** Edits a key's name, note and expiry. */
export function EditKey({ of: key }: { of: Key }) {
  const [opened, { open, close }] = useDisclosure();
  const change = useChange(changeKey, ['keys']);
  const start = () => {
    change.reset();
    open();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={start}>
        Edit
      </Button>
      <Modal opened={opened} onClose={close} title={`Edit ${key.name || key.mask}`}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ id: key.id, ...keyFieldsOf(new FormData(event.currentTarget)) }, { onSuccess: close });
          }}
        >
          <Stack>
            <KeyFields of={key} />
            <Problem error={change.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={change.isPending}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
