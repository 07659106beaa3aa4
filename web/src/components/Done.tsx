import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

/** Says, to eyes and to screen readers, that what was asked for has happened. */
export function Done({ children }: { children: ReactNode }) {
  return (
    <Alert color="teal" role="status" icon={<Icon name="check" />} p="sm">
      {children}
    </Alert>
  );
}
