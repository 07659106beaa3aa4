import { Badge, Group, Stack, Switch, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Empty } from '../../parts/Empty.tsx';
import { IconKey } from '../../parts/icons.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { ModeBadge } from '../../parts/ModeBadge.tsx';
import { Section } from '../../parts/Section.tsx';
import { When } from '../../parts/When.tsx';
import { type Key, keyState } from './keys.ts';
import { permissionsText } from './permissions.ts';

interface KeyListProps<K extends Key> {
  title: string;
  about?: string;
  found: UseQueryResult<{ readonly keys: readonly K[] }>;
  /** Where the first one comes from. */
  none: string;
  /** At the top, e.g. to create a key. */
  action?: ReactNode;
  /** Keys have a number, by which commands name them. */
  showsNumber?: boolean;
  /** Further columns. */
  more?: readonly Column<K>[];
  /** The actions for a key that is not revoked; undefined: the reader may change nothing. */
  actions?: ((key: K) => ReactNode) | undefined;
}

/** The keys of a partner. Their text is shown once, when they are created, to the person who creates them. */
export function KeyList<K extends Key>({ title, about, found, none, action, ...list }: KeyListProps<K>) {
  const [revokedToo, setRevokedToo] = useState(false);
  return (
    <Section
      title={title}
      about={about}
      actions={
        <Group gap="sm">
          <Switch
            size="sm"
            label="Show revoked"
            checked={revokedToo}
            onChange={(event) => setRevokedToo(event.currentTarget.checked)}
          />
          {action}
        </Group>
      }
      flush
    >
      <Loaded query={found}>
        {({ keys }) => {
          const shown = keys.filter((key) => revokedToo || key.revoked_at === null);
          if (shown.length === 0)
            return (
              <Empty icon={IconKey} title={keys.length > 0 ? 'No keys' : 'No keys yet'}>
                {keys.length > 0 ? 'All of them are revoked.' : none}
              </Empty>
            );
          return <DataTable label="API keys" columns={columns(list)} rows={shown} rowKey={({ id }) => id} />;
        }}
      </Loaded>
    </Section>
  );
}

const columns = <K extends Key>({
  showsNumber = false,
  more = [],
  actions,
}: Pick<KeyListProps<K>, 'showsNumber' | 'more' | 'actions'>): Column<K>[] => [
  { label: 'Key', cell: (key) => <Name of={key} showsNumber={showsNumber} /> },
  { label: 'May do', cell: (key) => <Permissions of={key} /> },
  { label: 'Allowed IP addresses', cell: (key) => <Addresses of={key} /> },
  ...more,
  { label: 'Last used', cell: (key) => <LastUse of={key} /> },
  { label: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
  ...(actions
    ? [
        {
          label: 'Actions',
          kind: 'actions',
          cell: (key: K) => keyState(key) !== 'revoked' && actions(key),
        } as const,
      ]
    : []),
];

/** What a key is called, its world, its last characters, its state and its note. */
function Name({ of: key, showsNumber }: { of: Key; showsNumber: boolean }) {
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
      {(showsNumber || key.expires_at !== null) && (
        <Text size="xs" c="dimmed" span>
          {showsNumber && `Key ${key.id}`}
          {key.expires_at !== null && (
            <>
              {showsNumber
                ? `, ${state === 'expired' ? 'expired' : 'expires'}`
                : state === 'expired'
                  ? 'Expired'
                  : 'Expires'}{' '}
              <When at={key.expires_at} exact />
            </>
          )}
        </Text>
      )}
      {key.client_id !== null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} span>
          Airalo client <span className="mono">{key.client_id}</span>
        </Text>
      )}
      {key.note && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} span>
          {key.note}
        </Text>
      )}
    </Stack>
  );
}

function Permissions({ of: { permissions } }: { of: Key }) {
  return (
    <Text size="sm" {...(permissions === null && { c: 'dimmed' })} span>
      {permissions === null ? 'Not restricted' : permissionsText(permissions)}
    </Text>
  );
}

function Addresses({ of: { allow_list } }: { of: Key }) {
  if (allow_list.length === 0)
    return (
      <Text size="sm" c="dimmed" span>
        Any
      </Text>
    );
  return (
    <Stack gap={0} className="mono">
      {allow_list.map((address) => (
        <span key={address}>{address}</span>
      ))}
    </Stack>
  );
}

/** When it was used, and the last time an address that is not allowed tried. */
function LastUse({ of: { last_used_at, refused_address, refused_at } }: { of: Key }) {
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
