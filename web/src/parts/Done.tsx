import { Alert } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import classes from './Done.module.css';
import { IconCheck } from './icons.ts';

const SHOWN_MS = 12_000;

/**
 * Confirms that a change was made, in a corner of the window: nothing moves away under the mouse. It goes away by itself, so that it is
 * not read as news later.
 */
export function Done({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(true);
  const { start, clear } = useTimeout(() => setShown(false), SHOWN_MS, { autoInvoke: true });
  const place = document.getElementById('toasts');
  if (!isShown || !place) return null;
  return createPortal(
    <Alert
      color="teal"
      role="status"
      icon={<IconCheck size={18} />}
      p="sm"
      className={classes.toast}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={() => setShown(false)}
      onMouseEnter={clear}
      onMouseLeave={start}
    >
      {children}
    </Alert>,
    place,
  );
}
