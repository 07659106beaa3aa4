import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { changeKey, type Key } from '../../api/keys.ts';
import { useChange } from '../../api/queries.ts';
import { Problem } from '../../components/Problem.tsx';

interface KeyDialogProps {
  of: Key;
  /** What the button that opens it says. */
  label: string;
  title: string;
  changes: (form: FormData) => Omit<Parameters<typeof changeKey>[0], 'id'>;
  /** The fields of the form. */
  children: ReactNode;
}

/** Changes one part of a key. */
export function KeyDialog({ of: key, label, title, changes, children }: KeyDialogProps) {
  const [opened, { open, close }] = useDisclosure();
  const change = useChange(changeKey, ['keys']);
  const start = () => {
    change.reset();
    open();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={start}>
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={title}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ id: key.id, ...changes(new FormData(event.currentTarget)) }, { onSuccess: close });
          }}
        >
          <Stack>
            {children}
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
