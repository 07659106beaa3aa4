import { Alert } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { IconCheck } from './icons.ts';

const SHOWN_MS = 12_000;

/** Confirms that a change was made. It goes away by itself, so that it is not read as news later. */
export function Done({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(true);
  useTimeout(() => setShown(false), SHOWN_MS, { autoInvoke: true });
  if (!isShown) return null;
  return (
    <Alert
      color="teal"
      role="status"
      icon={<IconCheck size={18} />}
      p="sm"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={() => setShown(false)}
    >
      {children}
    </Alert>
  );
}
