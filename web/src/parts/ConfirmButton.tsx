import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Form } from './Form.tsx';
import { Problem } from './Problem.tsx';
import { Proposed } from './server/client.ts';

interface ConfirmButtonProps extends ButtonProps {
  label: string;
  title: string;
  /** What will be deleted or stop working. */
  children: ReactNode;
  /** The fields of the dialog, and whether they are valid. */
  fields?: ReactNode;
  isReady?: boolean;
  /** Most of these remove something; `give` is for one that grants a request. */
  tone?: 'danger' | 'give';
  /** A word to type first, for changes that cannot be undone. */
  word?: string;
  /** The button that closes without a change; another word where “Cancel” would be ambiguous. */
  keep?: string;
  change: { mutateAsync: () => Promise<unknown>; isPending: boolean; error: unknown; reset: () => void };
}

/** For changes that cannot be undone or move money: asks for confirmation first. */
export function ConfirmButton({
  label,
  title,
  children,
  fields,
  isReady = true,
  word,
  tone = 'danger',
  keep = 'Cancel',
  change,
  ...button
}: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  const isProposed = change.error instanceof Proposed;
  const [typed, setTyped] = useState('');
  const start = () => {
    change.reset();
    setTyped('');
    open();
  };
  return (
    <>
      <Button {...(tone === 'danger' && { variant: 'default', c: 'var(--danger)' })} {...button} onClick={start}>
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={title}>
        <Form
          onSubmit={() => {
            return change.mutateAsync().then(close, () => {});
          }}
        >
          <Stack>
            <Text size="sm">{children}</Text>
            {fields}
            {word && (
              <TextInput
                label={`Type “${word}” to confirm`}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                autoComplete="off"
                data-autofocus
              />
            )}
            <Problem error={change.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {isProposed ? 'Close' : keep}
              </Button>
              {!isProposed && (
                <Button
                  type="submit"
                  {...(tone === 'danger' && { color: 'red' })}
                  loading={change.isPending}
                  disabled={!isReady || (word !== undefined && typed !== word)}
                >
                  {label}
                </Button>
              )}
            </Group>
          </Stack>
        </Form>
      </Modal>
    </>
  );
}
