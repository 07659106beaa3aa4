import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { changeKey, type Key } from '../../api/keys.ts';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../components/Problem.tsx';
import { AllowListField } from './AllowListField.tsx';

/** Edits the addresses a key may be used from. */
export function AllowList({ of: key }: { of: Key }) {
  const [opened, { open, close }] = useDisclosure();
  const change = useChange(changeKey, ['keys']);
  const start = () => {
    change.reset();
    open();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={start}>
        IP addresses
      </Button>
      <Modal opened={opened} onClose={close} title={`Allowed IP addresses of ${key.mask}`}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const allow_list = String(new FormData(event.currentTarget).get('allow_list'));
            change.mutate({ id: key.id, allow_list }, { onSuccess: close });
          }}
        >
          <Stack>
            <AllowListField defaultValue={key.allow_list.join('\n')} />
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
