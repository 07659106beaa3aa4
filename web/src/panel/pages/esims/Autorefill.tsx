import { Alert, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { dollars } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { type AutorefillRule, ruleWords, whyStopped } from '../../../subjects/orders/autorefillWords.ts';
import { endAutorefill, type RefillPlan, refills, setAutorefill } from '../../api/esims.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';

interface AutorefillProps {
  mode: Mode;
  iccid: string;
  /** Null: it has none. */
  rule: AutorefillRule | null;
}

/** The rule by which the eSIM refills itself, for members who may buy with a form to set and end it. */
export function Autorefill({ mode, iccid, rule }: AutorefillProps) {
  const mayBuy = useMay()('buy');
  const isView = useIsView();
  const plans = useQuery(refills(mode, iccid)).data?.products;
  // Without a refill on sale there is nothing to set up.
  if (rule === null && (plans === undefined || plans.length === 0)) return null;
  return (
    <Section title="Automatic refills">
      <Stack gap="sm">
        {rule ? (
          <Rule rule={rule} plans={plans ?? []} />
        ) : (
          <Text size="sm" c="dimmed">
            This eSIM does not refill itself. Its data ends when it is used up.
          </Text>
        )}
        {mayBuy && !isView && (
          <Group gap="xs">
            {plans && plans.length > 0 && <SetRule mode={mode} iccid={iccid} rule={rule} plans={plans} />}
            {rule && <EndRule mode={mode} iccid={iccid} />}
          </Group>
        )}
      </Stack>
    </Section>
  );
}

function Rule({ rule, plans }: { rule: AutorefillRule; plans: readonly RefillPlan[] }) {
  const plan = plans.find(({ id }) => id === rule.product_id)?.title ?? rule.product_id;
  return (
    <>
      <Text size="sm">{ruleWords(rule, `“${plan}”`)}</Text>
      {rule.stopped !== null && (
        <Alert
          color={rule.stopped === 'done' ? 'blue' : 'yellow'}
          p="sm"
          title={rule.stopped === 'done' ? 'Finished' : 'Stopped'}
        >
          {whyStopped[rule.stopped]} {next[rule.stopped]}
        </Alert>
      )}
    </>
  );
}

const next: Readonly<Record<NonNullable<AutorefillRule['stopped']>, string>> = {
  price: 'Nothing was charged. Allow a higher price to go on.',
  money: 'Nothing was charged. Top up, then set the rule again.',
  limit: 'Nothing was charged. Set the rule again once there is room.',
  product: 'Nothing was charged, or the charge was refunded. Choose another refill.',
  done: 'Set the rule again for more.',
};

/** What a refill may cost at first: a little more than it does. */
const HEADROOM = 1.1;

function SetRule({ mode, iccid, rule, plans }: AutorefillProps & { plans: readonly RefillPlan[] }) {
  const set = useChange((wanted: Parameters<typeof setAutorefill>[2]) => setAutorefill(mode, iccid, wanted), [mode]);
  const [chosen, choose] = useState<string>();
  const plan = plans.find(({ id }) => id === (chosen ?? rule?.product_id)) ?? plans[0];
  if (!plan) return null;
  return (
    <FormDialog
      label={rule ? 'Change' : 'Set up'}
      aria-label={`${rule ? 'Change' : 'Set up'} automatic refills`}
      title="Automatic refills"
      submitLabel={rule ? 'Replace the rule' : 'Start'}
      change={set}
      onOpen={() => choose(undefined)}
      onSubmit={(typed) => {
        const text = (name: string) => String(typed.get(name)).trim();
        return set.mutateAsync({
          product_id: plan.id,
          at_percent: text('at_percent'),
          times: text('times'),
          max_price: text('max_price'),
        });
      }}
    >
      <Text size="sm">
        When so much of the data is used, a refill is bought like any other: at your price of that moment
        {mode === 'live' ? ', with real money' : ', with test money'}. If that much is used already, the first one is
        bought now.
      </Text>
      <NativeSelect
        label="Refill"
        data={plans.map(({ id, title, partner_price }) => ({
          value: id,
          label: `${title}, ${dollars(partner_price)}`,
        }))}
        value={plan.id}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }} style={{ alignItems: 'end' }}>
        <TextInput
          name="at_percent"
          label="At % used"
          inputMode="numeric"
          defaultValue={rule?.at_percent ?? 80}
          required
          withAsterisk={false}
        />
        <TextInput
          name="times"
          label="Refills at most"
          inputMode="numeric"
          defaultValue={rule?.times ?? 5}
          required
          withAsterisk={false}
        />
        <TextInput
          // Another plan has another price.
          key={plan.id}
          name="max_price"
          label="Up to, USD each"
          inputMode="decimal"
          defaultValue={plan.id === rule?.product_id ? rule.max_price : (plan.partner_price * HEADROOM).toFixed(2)}
          required
          withAsterisk={false}
        />
      </SimpleGrid>
      {rule && (
        <Text size="sm" c="dimmed">
          The new rule counts its refills from 0.
        </Text>
      )}
    </FormDialog>
  );
}

function EndRule({ mode, iccid }: { mode: Mode; iccid: string }) {
  const end = useChange(() => endAutorefill(mode, iccid), [mode]);
  return (
    <ConfirmButton
      size="xs"
      label="End"
      aria-label="End automatic refills"
      title="End automatic refills?"
      change={{ ...end, mutateAsync: () => end.mutateAsync(undefined) }}
    >
      No further refill is bought by itself. One that is on its way is still delivered, and data that was added stays.
    </ConfirmButton>
  );
}
