import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from './Copy.tsx';
import { IconAlertTriangle } from './icons.ts';

interface SecretDialogProps {
  title: string;
  what: string;
  /** The dialog is open while this is defined. */
  secret: string | undefined;
  /** What is shown once with it. */
  more?: readonly { readonly label: string; readonly text: string }[];
  children?: ReactNode;
  /** Must drop the secret; nothing else holds it. */
  onClose: () => void;
}

/** Shows a value that it cannot show again. Only its button closes it, so no stray click or Escape loses the value. */
export function SecretDialog({ title, what, secret, more = [], children, onClose }: SecretDialogProps) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} p="sm">
          Copy this now and store it somewhere safe. It is shown here only once.
        </Alert>
        <CodeBlock text={secret ?? ''} what={what} />
        {more.map(({ label, text }) => (
          <div key={label}>
            <Text size="sm" fw={500} mb={4}>
              {label}
            </Text>
            <CodeBlock text={text} what={`the ${label.toLowerCase()}`} />
          </div>
        ))}
        {children && (
          <Text size="sm" c="dimmed">
            {children}
          </Text>
        )}
        <Button onClick={onClose}>I’ve saved it</Button>
      </Stack>
    </Modal>
  );
}
