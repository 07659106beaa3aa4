import { Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { tierNames } from '../../../../../src/contract/tiers.ts';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { Addresses, KeyName, LastUse } from '../../../subjects/keys/keyCells.tsx';
import { keyState } from '../../../subjects/keys/keys.ts';
import { RevokedSwitch } from '../../../subjects/keys/RevokedSwitch.tsx';
import { allPartners, keysOf, type Partner, type PartnerKey } from '../../api/partners.ts';
import { useRun } from '../../api/run.ts';
import { useMay } from '../../useMay.ts';
import { EditKey } from './EditKey.tsx';
import { NewKey } from './NewKey.tsx';
import { tierName } from './tierName.ts';
import { withInput } from './withInput.ts';

const EVERY_MS = 30_000;

/** A partner's keys. Their text is shown once, when they are created, to the person who creates them. */
export function Keys({ of }: { of: Partner }) {
  const mayChange = useMay()('manage') && of.status !== 'closed';
  const [revokedToo, setRevokedToo] = useState(false);
  const all = useQuery({ ...keysOf(of.id), refetchInterval: EVERY_MS });
  return (
    <Section
      title="API keys"
      about="At most 5 live keys and 2 sandbox keys work at the same time."
      actions={
        <Group gap="sm">
          <RevokedSwitch checked={revokedToo} onChange={setRevokedToo} />
          {mayChange && <NewKey of={of} />}
        </Group>
      }
      flush
    >
      <Loaded query={all}>
        {({ keys }) => {
          const shown = keys.filter((key) => revokedToo || key.revoked_at === null);
          if (shown.length === 0)
            return (
              <Empty icon={IconKey} title="No keys">
                {keys.length > 0 ? 'All of them are revoked.' : 'Members create keys in the panel.'}
              </Empty>
            );
          return (
            <DataTable
              label="API keys"
              columns={mayChange ? [...columns, actions] : columns}
              rows={shown}
              rowKey={({ id }) => id}
            />
          );
        }}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<PartnerKey>[] = [
  { label: 'Key', cell: (key) => <Name of={key} /> },
  { label: 'Allowed addresses', cell: ({ allow_list }) => <Addresses list={allow_list} any="Any" /> },
  { label: 'Own ceilings', cell: (key) => <Ceilings of={key} /> },
  { label: 'Last used (UTC)', cell: (key) => <LastUse of={key} /> },
  { label: 'Created (UTC)', card: 'small', cell: ({ created_at }) => <When at={created_at} /> },
];

const actions: Column<PartnerKey> = {
  label: 'Actions',
  kind: 'actions',
  cell: (key) => keyState(key) !== 'revoked' && <Actions of={key} />,
};

function Name({ of: key }: { of: PartnerKey }) {
  return (
    <KeyName of={key}>
      <Text size="xs" c="dimmed" span>
        Key {key.id}
        {key.expires_at !== null && (
          <>
            {keyState(key) === 'expired' ? ', expired ' : ', expires '}
            <When at={key.expires_at} /> UTC
          </>
        )}
      </Text>
    </KeyName>
  );
}

/** Requests per minute, where an operator set others than everybody has. */
function Ceilings({ of: { tier_ceilings } }: { of: PartnerKey }) {
  const own = tierNames.filter((tier) => tier_ceilings[tier] !== undefined);
  if (own.length === 0) return null;
  return (
    <Stack gap={0}>
      {own.map((tier) => (
        <span key={tier} className="num">
          {tierName[tier]}: {tier_ceilings[tier]?.toLocaleString('en-US')} a minute
        </span>
      ))}
    </Stack>
  );
}

function Actions({ of: key }: { of: PartnerKey }) {
  const revoke = useRun('key revoke', allPartners);
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <EditKey of={key} />
      <ConfirmButton
        size="xs"
        label="Revoke"
        title={`Revoke ${key.name || key.mask}?`}
        change={withInput(revoke, { id: String(key.id) })}
      >
        Requests with this key fail within a second. This cannot be undone: the partner needs a new key. Its orders are
        not affected.
      </ConfirmButton>
    </Group>
  );
}
