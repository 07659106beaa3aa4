import { Badge, Group, Text, TextInput } from '@mantine/core';
import { Copyable } from '../../../parts/Copy.tsx';
import type { Column } from '../../../parts/DataTable.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { Money } from '../../../parts/Money.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { factList } from '../../../subjects/plans/facts.ts';
import type { PlanView } from '../../api/catalog.ts';
import { inCurrency, setRetailPrice } from '../../api/retail.ts';
import { useMay } from '../../useMay.ts';
import { planName } from './planName.ts';

/** One line for each plan. `isMixed`: they are of several destinations, so each names its own. `currency`: of retail prices. */
export const planColumns = (isMixed: boolean, currency: string): Column<PlanView>[] => [
  {
    label: 'Plan',
    cell: (plan) => (
      <Group gap="xs" wrap="nowrap" component="span">
        {isMixed && <img src={plan.destination.image} width={20} height={15} alt="" className="flag" />}
        <Text size="sm" span>
          {isMixed ? `${plan.destination.title}: ${planName(plan)}` : planName(plan)}
        </Text>
        {plan.is_refill && <Badge color="gray">Refill</Badge>}
      </Group>
    ),
  },
  {
    label: 'Network',
    card: 'line',
    cell: ({ network, operator }) => [network, operator].filter((text) => text !== '').join(' · '),
  },
  {
    label: 'Your price',
    kind: 'figure',
    card: 'figure',
    cell: ({ list_price, your_price }) => <YourPrice list={Number(list_price)} yours={Number(your_price)} />,
  },
  {
    label: currency === 'USD' ? 'Retail price' : `Retail price (${currency})`,
    kind: 'figure',
    cell: (plan) => <RetailPrice plan={plan} currency={currency} />,
  },
  { label: 'Your margin', kind: 'figure', cell: ({ retail }) => (retail === null ? '–' : <Margin of={retail} />) },
];

/** What the line does not say. */
export function PlanDetail({ of: plan }: { of: PlanView }) {
  const { id, operator, countries, list_price, your_price, facts } = plan;
  return (
    <Facts
      facts={[
        ['Plan id', <Copyable key="id" value={id} what="the plan’s id" />],
        ['List price', list_price !== your_price && <Money key="list" amount={list_price} />],
        ['Countries', countries > 1 && String(countries)],
        ...factList(facts).filter(([, value]) => value !== '' && value !== operator),
      ]}
    />
  );
}

function YourPrice({ list, yours }: { list: number; yours: number }) {
  const off = list > 0 ? Math.round((1 - yours / list) * 100) : 0;
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {off > 0 && (
        <Text size="xs" c="dimmed" span className="num" mr={6}>
          −{off}%
        </Text>
      )}
      <Money amount={yours} />
    </span>
  );
}

/** The price typed for the plan. An empty field shows the price calculated by the rules as its placeholder. */
function RetailPrice({ plan, currency }: { plan: PlanView; currency: string }) {
  const mayChange = useMay()('spend');
  const change = useChange(setRetailPrice, []);
  const own = plan.retail?.by === 'plan' ? plan.retail.price : '';
  if (!mayChange) return <>{plan.retail ? inCurrency(plan.retail.price, currency) : '–'}</>;
  const save = (typed: string) => {
    if (typed.trim() !== own) change.mutate({ plan: plan.id, price: typed });
  };
  return (
    <TextInput
      key={own}
      size="xs"
      w={90}
      ml="auto"
      aria-label={`Retail price of ${plan.title} in ${currency}`}
      placeholder={plan.retail?.price ?? 'Type one'}
      inputMode="decimal"
      defaultValue={own}
      onBlur={({ currentTarget }) => save(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') save(currentTarget.value);
      }}
      error={change.error?.message}
      styles={{ input: { textAlign: 'right' } }}
    />
  );
}

function Margin({ of: retail }: { of: NonNullable<PlanView['retail']> }) {
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <Text size="sm" span {...(Number(retail.margin) < 0 && { c: 'var(--danger)' })}>
        <Money amount={retail.margin} />
      </Text>
      {retail.margin_pct !== null && (
        <Text size="xs" c="dimmed" span className="num" ml={6} title="Of the retail price">
          {retail.margin_pct}%
        </Text>
      )}
    </span>
  );
}
