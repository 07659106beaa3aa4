import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { Copyable } from '../../../parts/Copy.tsx';
import { count } from '../../../parts/count.ts';
import type { Column } from '../../../parts/DataTable.tsx';
import { dollars, Money } from '../../../parts/Money.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { factList } from '../../../subjects/plans/facts.ts';
import type { PlanView } from '../../api/catalog.ts';
import { inCurrency, setRetailPrice } from '../../api/retail.ts';
import { useMay } from '../../useMay.ts';

/** `isMixed`: the plans are of several destinations, so each names its own. `currency`: of retail prices. */
export const planColumns = (isMixed: boolean, currency: string): Column<PlanView>[] => [
  {
    label: 'Plan',
    cell: ({ id, title, destination, is_refill, facts }) => (
      <Stack gap={2} miw={215} maw={260}>
        <Group gap="xs" wrap="nowrap">
          {isMixed && <img src={destination.image} width={20} height={15} alt="" className="flag" />}
          <Text size="sm" span>
            {isMixed && !title.includes(destination.title) ? `${destination.title}: ${title}` : title}
          </Text>
          {is_refill && <Badge color="gray">Refill</Badge>}
        </Group>
        <Copyable value={id} what="the plan’s id" />
        <Text size="xs" c="dimmed">
          {factList(facts)
            .filter(([, value]) => value !== '')
            .map(([name, value]) => `${name}: ${value}`)
            .join(' · ')}
        </Text>
      </Stack>
    ),
  },
  {
    label: 'Data and validity',
    card: 'line',
    cell: ({ data, days }) => (
      <Stack gap={2} className="num" style={{ whiteSpace: 'nowrap' }}>
        <Text size="sm" span>
          {data}
        </Text>
        <Text size="xs" c="dimmed" span>
          {count(days, 'day')}
        </Text>
      </Stack>
    ),
  },
  {
    label: 'Network',
    cell: ({ network, operator, countries }) => (
      <Stack gap={2}>
        <Text size="sm" span>
          {network}
        </Text>
        <Text size="xs" c="dimmed" span>
          {operator}
          {countries > 1 && `, ${countries} countries`}
        </Text>
      </Stack>
    ),
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
  { label: 'Your margin', kind: 'figure', cell: ({ retail }) => <Margin of={retail} /> },
];

function YourPrice({ list, yours }: { list: number; yours: number }) {
  const off = list > 0 ? Math.round((1 - yours / list) * 100) : 0;
  return (
    <Stack gap={0} align="flex-end">
      <Money amount={yours} />
      <Text size="xs" c="dimmed" span className="num" style={{ whiteSpace: 'nowrap' }}>
        {yours === list ? 'the list price' : `list ${dollars(list)}`}
        {off > 0 && ` (−${off}%)`}
      </Text>
    </Stack>
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

function Margin({ of: retail }: { of: PlanView['retail'] }) {
  if (retail === null) return <>–</>;
  return (
    <Stack gap={0} align="flex-end">
      <Text size="sm" span {...(Number(retail.margin) < 0 && { c: 'var(--danger)' })}>
        <Money amount={retail.margin} />
      </Text>
      {retail.margin_pct !== null && (
        <Text size="xs" c="dimmed" span className="num" style={{ whiteSpace: 'nowrap' }}>
          {retail.margin_pct}% of retail
        </Text>
      )}
    </Stack>
  );
}
