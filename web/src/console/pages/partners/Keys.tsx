import { Fieldset, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Tier, tierNames, tiers } from '../../../../../src/platform/contract/key-terms.ts';
import type { Column } from '../../../parts/DataTable.tsx';
import { andThen } from '../../../parts/server/client.ts';
import { KeyActions, type KeyCalls } from '../../../subjects/keys/KeyActions.tsx';
import { AllowListField } from '../../../subjects/keys/KeyFields.tsx';
import { KeyLimits } from '../../../subjects/keys/KeyLimits.tsx';
import { KeyList } from '../../../subjects/keys/KeyList.tsx';
import { NewKey } from '../../../subjects/keys/NewKey.tsx';
import { runAction } from '../../api/actions.ts';
import { allPartners, keysOf, type Partner, type PartnerKey } from '../../api/partners.ts';
import { useMay } from '../../useMay.ts';
import { keyInput, newKeyInput } from './inputs.ts';

const EVERY_MS = 30_000;

export function Keys({ of }: { of: Partner }) {
  const mayChange = useMay()('manage') && of.status !== 'closed';
  const calls = callsFor(of);
  const found = useQuery({ ...keysOf(of.id), refetchInterval: EVERY_MS });
  return (
    <Stack gap="lg">
      <KeyList
        title="API keys"
        about="At most 5 live keys and 2 sandbox keys work at the same time."
        found={found}
        none="Members create keys in the panel."
        action={mayChange && <New of={of} calls={calls} />}
        showsNumber
        more={[ceilings]}
        actions={mayChange ? (key) => <Actions of={key} calls={calls} /> : undefined}
      />
      <KeyLimits keys={found.data?.keys ?? []} calls={calls} mayChange={mayChange} />
    </Stack>
  );
}

const callsFor = ({ id: partnerId }: Partner): KeyCalls<PartnerKey> => ({
  touches: allPartners,
  create: (wanted) =>
    andThen(runAction('key create', newKeyInput(partnerId, wanted.mode, wanted)), ({ key }) => ({ secret: key })),
  change(key, wanted) {
    const input = keyInput(key, wanted);
    return Object.keys(input).length > 1 ? runAction('key set', input) : async () => undefined;
  },
  revoke: ({ id }) => runAction('key revoke', { id: String(id) }),
});

const about = { live: 'A live key spends the partner’s money.', sandbox: 'A sandbox key uses test money.' };

const New = ({ of: { name }, calls }: { of: Partner; calls: KeyCalls<PartnerKey> }) => (
  <NewKey
    calls={calls}
    title={`New API key for ${name}`}
    first="sandbox"
    about={about}
    secretTitle={`New key of ${name}`}
  >
    Give it to the partner over a secure channel, not by plain mail. It can’t be shown again. Where you can, let a
    member create the key in the panel instead: then only they see it.
  </NewKey>
);

/** The groups of calls that have a ceiling of their own. */
const tierName: Record<Tier, string> = {
  catalog: 'Catalog',
  read: 'Reading',
  purchase: 'Purchases',
  money: 'Money and settings',
  outbound: 'Test deliveries',
};

/** Requests per minute, where an operator changed the defaults. */
const ceilings: Column<PartnerKey> = {
  label: 'Own ceilings',
  cell({ tier_ceilings }) {
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
  },
};

const Actions = ({ of: key, calls }: { of: PartnerKey; calls: KeyCalls<PartnerKey> }) => (
  <KeyActions
    of={key}
    calls={calls}
    // The action that changes a key ignores an empty name. The note belongs to the partner.
    keepsName
    fields={
      <>
        <AllowListField of={key} />
        <Fieldset legend="Requests per minute" variant="unstyled">
          <SimpleGrid cols={2} spacing="xs">
            {tierNames.map((tier) => (
              <TextInput
                key={tier}
                name={tier}
                label={tierName[tier]}
                inputMode="numeric"
                placeholder={String(tiers[tier])}
                defaultValue={key.tier_ceilings[tier]}
                autoComplete="off"
              />
            ))}
          </SimpleGrid>
        </Fieldset>
      </>
    }
  >
    Requests with this key fail within a second. This cannot be undone: the partner needs a new key. Its orders are not
    affected.
  </KeyActions>
);
