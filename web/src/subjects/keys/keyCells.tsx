import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ModeBadge } from '../../parts/ModeBadge.tsx';
import { When } from '../../parts/When.tsx';
import { type Key, keyState } from './keys.ts';

/** What a key is called, its world, its last characters, its state and its note. */
export function KeyName({ of: key, children }: { of: Key; children: ReactNode }) {
  const state = keyState(key);
  return (
    <Stack gap={2} align="flex-start">
      {key.name && (
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }} span>
          {key.name}
        </Text>
      )}
      <Group gap="xs">
        <ModeBadge mode={key.mode} />
        <span className="mono" style={{ whiteSpace: 'nowrap' }}>
          {key.mask}
        </span>
        {state !== 'active' && <Badge color="gray">{state === 'revoked' ? 'Revoked' : 'Expired'}</Badge>}
      </Group>
      {children}
      {key.note && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} span>
          {key.note}
        </Text>
      )}
    </Stack>
  );
}

/** The key's allow-list, or `any` if every address may use it. */
export function Addresses({ list, any }: { list: readonly string[]; any: ReactNode }) {
  if (list.length === 0) return any;
  return (
    <Stack gap={0} className="mono">
      {list.map((address) => (
        <span key={address}>{address}</span>
      ))}
    </Stack>
  );
}

/** When it was used, and the last time an address that is not allowed tried. */
export function LastUse({ of: { last_used_at, refused_address, refused_at } }: { of: Key }) {
  return (
    <Stack gap={2}>
      <When at={last_used_at} never="Never" />
      {refused_address !== null && (
        <Text size="xs" c="var(--danger)" style={{ overflowWrap: 'anywhere' }} span>
          Blocked {refused_address}, <When at={refused_at} />
        </Text>
      )}
    </Stack>
  );
}
