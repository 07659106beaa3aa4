import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CodeBlock } from './Copy.tsx';

interface SecretDialogProps {
  title: string;
  what: string;
  /** Undefined: there is nothing to show. */
  secret: string | undefined;
  children?: ReactNode;
  /** Must forget the secret: nothing keeps it after this. */
  onClose: () => void;
}

/** A value the server will never show again. It closes by its button only, so that no stray click or Escape loses it. */
export function SecretDialog({ title, what, secret, children, onClose }: SecretDialogProps) {
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
          This is shown once. Copy it to a safe place now; it cannot be shown again.
        </Alert>
        <CodeBlock text={secret ?? ''} what={what} />
        {children && (
          <Text size="sm" c="dimmed">
            {children}
          </Text>
        )}
        <Button onClick={onClose}>I have saved it</Button>
      </Stack>
    </Modal>
  );
}
