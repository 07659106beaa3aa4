import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { Copyable } from '../../../parts/Copy.tsx';
import { count } from '../../../parts/count.ts';
import type { Column } from '../../../parts/DataTable.tsx';
import { Money } from '../../../parts/Money.tsx';
import { factList } from '../../../subjects/plans/facts.ts';
import type { PlanView } from '../../api/catalog.ts';
import { amount, useRetail, withMarkup } from '../../retail.ts';

/** `isMixed`: the plans are of several destinations, so each names its own. */
export const planColumns = (isMixed: boolean): Column<PlanView>[] => [
  {
    label: 'Plan',
    cell: ({ id, title, destination, is_refill, facts }) => (
      <Stack gap={2} maw={260}>
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
  { label: 'Data', cell: ({ data }) => <NoWrap>{data}</NoWrap> },
  { label: 'Validity', cell: ({ days }) => <NoWrap>{count(days, 'day')}</NoWrap> },
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
  { label: 'List price', kind: 'figure', cell: ({ list_price }) => <Money amount={list_price} /> },
  {
    label: 'Your price',
    kind: 'figure',
    cell: ({ list_price, your_price }) => <YourPrice list={Number(list_price)} yours={Number(your_price)} />,
  },
  { label: 'Retail price', kind: 'figure', cell: (plan) => <RetailPrice plan={plan} /> },
  { label: 'Your margin', kind: 'figure', cell: (plan) => <Margin plan={plan} /> },
];

function NoWrap({ children }: { children: string }) {
  return (
    <span className="num" style={{ whiteSpace: 'nowrap' }}>
      {children}
    </span>
  );
}

function YourPrice({ list, yours }: { list: number; yours: number }) {
  const off = list > 0 ? Math.round((1 - yours / list) * 100) : 0;
  return (
    <Stack gap={0} align="flex-end">
      <Money amount={yours} />
      {off > 0 && (
        <Text size="xs" c="dimmed" span className="num" style={{ whiteSpace: 'nowrap' }}>
          {off}% below list
        </Text>
      )}
    </Stack>
  );
}

/** What is typed for the plan, else the markup; undefined: neither. */
function useRetailPrice({ id, your_price }: PlanView): number | undefined {
  const { priceOf, markupPct } = useRetail();
  const typed = priceOf(id);
  if (typed !== '') return amount(typed);
  return markupPct === undefined ? undefined : withMarkup(Number(your_price), markupPct);
}

function RetailPrice({ plan }: { plan: PlanView }) {
  const { priceOf, setPrice } = useRetail();
  const price = useRetailPrice(plan);
  const typed = priceOf(plan.id);
  return (
    <TextInput
      size="xs"
      w={96}
      aria-label={`Retail price of ${plan.title} in dollars`}
      placeholder={typed === '' && price !== undefined ? price.toFixed(2) : 'Type one'}
      inputMode="decimal"
      value={typed}
      onChange={({ currentTarget }) => setPrice(plan.id, currentTarget.value)}
      error={typed !== '' && amount(typed) === undefined}
      styles={{ input: { textAlign: 'right' } }}
    />
  );
}

function Margin({ plan }: { plan: PlanView }) {
  const retail = useRetailPrice(plan);
  if (retail === undefined) return <>–</>;
  const margin = (Math.round(retail * 100) - Math.round(Number(plan.your_price) * 100)) / 100;
  return (
    <Stack gap={0} align="flex-end">
      <Text size="sm" span {...(margin < 0 && { c: 'var(--danger)' })}>
        <Money amount={margin} />
      </Text>
      {retail > 0 && (
        <Text size="xs" c="dimmed" span className="num" style={{ whiteSpace: 'nowrap' }}>
          {Math.round((margin / retail) * 100)}% of retail
        </Text>
      )}
    </Stack>
  );
}
