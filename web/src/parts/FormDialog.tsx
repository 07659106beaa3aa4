import { Button, type ButtonProps, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Form } from './Form.tsx';
import { Problem } from './Problem.tsx';
import { Proposed } from './server/client.ts';

interface FormDialogProps extends ButtonProps {
  /** What the button that opens it says. */
  label: string;
  title: string;
  submitLabel: string;
  /** Whether the fields are valid. */
  isReady?: boolean;
  dialogSize?: string;
  change: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void };
  /** It is open already, and there is no button to open it again. */
  isResumed?: boolean;
  /** Resets the fields to their initial values. */
  onOpen?: () => void;
  onClose?: () => void;
  /** The dialog closes when this is done. */
  onSubmit: (form: FormData) => Promise<unknown>;
  children: ReactNode;
}

/** A button, and the form it opens. */
export function FormDialog({
  label,
  title,
  submitLabel,
  isReady = true,
  dialogSize = 'md',
  change,
  isResumed = false,
  onOpen,
  onClose,
  onSubmit,
  children,
  ...button
}: FormDialogProps) {
  const [opened, { open, close: hide }] = useDisclosure(isResumed);
  const isProposed = change.error instanceof Proposed;
  const start = () => {
    change.reset();
    onOpen?.();
    open();
  };
  const close = () => {
    hide();
    onClose?.();
  };
  return (
    <>
      {!isResumed && (
        <Button size="xs" variant="default" {...button} onClick={start}>
          {label}
        </Button>
      )}
      <Modal opened={opened} onClose={close} title={title} size={dialogSize}>
        <Form
          onSubmit={(typed) => {
            return onSubmit(typed).then(close, () => {});
          }}
        >
          <Stack>
            {children}
            <Problem error={change.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {isProposed ? 'Close' : 'Cancel'}
              </Button>
              {!isProposed && (
                <Button type="submit" loading={change.isPending} disabled={!isReady}>
                  {submitLabel}
                </Button>
              )}
            </Group>
          </Stack>
        </Form>
      </Modal>
    </>
  );
}
