import { Button, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { When } from '../../../parts/When.tsx';
import { Addresses, KeyName, LastUse } from '../../../subjects/keys/keyCells.tsx';
import { type Key, keyState, keys, revokeKey } from '../../../subjects/keys/keys.ts';
import { RevokedSwitch } from '../../../subjects/keys/RevokedSwitch.tsx';
import { Allowed } from '../../Allowed.tsx';
import { useMay } from '../../useMay.ts';
import { AllowList } from './AllowList.tsx';
import { EditKey } from './EditKey.tsx';
import { NewKey } from './NewKey.tsx';

export function Keys() {
  const may = useMay();
  return (
    <Page
      title="API keys"
      about="Sandbox keys use test money, live keys spend real money. You can have 2 active sandbox keys and 5 active live keys."
      actions={may('develop') && <NewKey />}
    >
      <Allowed to="see-keys" cannot="see API keys">
        <KeyList />
      </Allowed>
    </Page>
  );
}

function KeyList() {
  const [revokedToo, setRevokedToo] = useState(false);
  const all = useQuery(keys);
  const shownColumns = useMay()('develop') ? [...columns, actions] : columns;
  return (
    <Section title="Keys" flush actions={<RevokedSwitch checked={revokedToo} onChange={setRevokedToo} />}>
      <Loaded query={all}>
        {(data) => {
          const shown = data.keys.filter((key) => revokedToo || key.revoked_at === null);
          if (shown.length === 0)
            return (
              <Empty icon={IconKey} title="No keys yet">
                Create a sandbox key to start: it never costs money.
              </Empty>
            );
          return <DataTable label="API keys" columns={shownColumns} rows={shown} rowKey={({ id }) => id} />;
        }}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<Key>[] = [
  {
    label: 'Key',
    cell: (key) => (
      <KeyName of={key}>
        {key.expires_at !== null && (
          <Text size="xs" c="dimmed" span>
            {keyState(key) === 'expired' ? 'Expired' : 'Expires'} <When at={key.expires_at} /> UTC
          </Text>
        )}
      </KeyName>
    ),
  },
  {
    label: 'Allowed IP addresses',
    cell: ({ allow_list }) => (
      <Addresses
        list={allow_list}
        any={
          <Text size="sm" c="dimmed" span>
            Any
          </Text>
        }
      />
    ),
  },
  { label: 'Last used (UTC)', cell: (key) => <LastUse of={key} /> },
  { label: 'Created (UTC)', cell: ({ created_at }) => <When at={created_at} /> },
];

const actions: Column<Key> = {
  label: 'Actions',
  kind: 'actions',
  cell: (key) => keyState(key) !== 'revoked' && <Actions of={key} />,
};

function Actions({ of: key }: { of: Key }) {
  const revoke = useChange(() => revokeKey(key.id), ['keys']);
  return (
    <Button.Group style={{ justifyContent: 'flex-end' }}>
      <EditKey of={key} />
      <AllowList of={key} />
      <ConfirmButton size="xs" label="Revoke" title={`Revoke ${key.mask}?`} change={revoke}>
        Requests with this key will fail immediately. This cannot be undone. Your orders are not affected.
      </ConfirmButton>
    </Button.Group>
  );
}
