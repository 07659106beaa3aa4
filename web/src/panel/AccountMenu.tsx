import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { me } from './api/session.ts';

/** Few people belong to several partners; the others need not load it. */
const AccountSelect = lazy(async () => ({ default: (await import('./AccountSelect.tsx')).AccountSelect }));

/** The partner's name in the header, or the choice between several. */
export function AccountMenu() {
  const { data } = useQuery(me);
  const name = (
    <Text size="sm" c="dimmed" truncate>
      {data?.partner.name}
    </Text>
  );
  if (!data || data.accounts.length < 2) return name;
  return (
    <Suspense fallback={name}>
      <AccountSelect who={data} />
    </Suspense>
  );
}
