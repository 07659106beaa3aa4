import { Alert } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Says, to eyes and to screen readers, that what was asked for has happened. */
export function Done({ children }: { children: ReactNode }) {
  return (
    <Alert color="teal" role="status" icon={<IconCheck size={18} />} p="sm">
      {children}
    </Alert>
  );
}
