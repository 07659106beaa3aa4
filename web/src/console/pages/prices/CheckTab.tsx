import { Anchor, Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { type Candidate, type PriceCheckView, priceCheck } from '../../api/prices.ts';
import { paths } from '../../paths.ts';
import { Cost } from '../catalog/Cost.tsx';
import { PartnerPicker, PlanPicker } from './Picker.tsx';
import { scopeName } from './scopes.ts';

/** What one partner pays for one plan, and why. */
export function CheckTab() {
  const { of, filter } = useFilters();
  const [partner, product] = [of('partner') ?? '', of('product') ?? ''];
  return (
    <Stack>
      <Section title="Price check" about="Choose a partner and a plan to see which rule sets the price.">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <PartnerPicker
            label="Partner"
            placeholder="Name or number"
            value={partner}
            onChange={(next) => filter({ partner: next })}
          />
          <PlanPicker
            label="Plan"
            placeholder="Words of its title, or its id"
            value={product}
            onChange={(next) => filter({ product: next })}
          />
        </SimpleGrid>
      </Section>
      {partner !== '' && product !== '' && <Checked partner={partner} product={product} />}
    </Stack>
  );
}

function Checked({ partner, product }: { partner: string; product: string }) {
  const found = useQuery(priceCheck(partner, product));
  return (
    <Loaded query={found} lines={6}>
      {(it) => (
        <>
          <Result of={it} />
          <Section
            title="Why"
            about="In the order in which they are checked. The first that applies sets the price."
            flush
          >
            <DataTable
              label="Rules that were checked"
              columns={columns}
              rows={it.candidates}
              rowKey={({ rule_id, scope }) => rule_id ?? scope}
            />
          </Section>
        </>
      )}
    </Loaded>
  );
}

function Result({ of: it }: { of: PriceCheckView }) {
  return (
    <Section
      title={`${it.partner_name} pays`}
      about={it.on_sale ? undefined : 'The plan is not on sale, so it cannot be bought.'}
    >
      <Text fz="xxl" fw={600} lh={1.2} mb="sm">
        <Money amount={it.price} />
      </Text>
      <Facts
        facts={[
          [
            'Plan',
            <Anchor key="plan" component={Link} to={paths.plan(it.product_id)} inherit>
              {it.title}
            </Anchor>,
          ],
          ['Supplier', it.supplier],
          ['List price', <Money key="list" amount={it.list_price} />],
          ['Cost', it.cost === null ? 'Unknown' : <Cost key="cost" amount={it.cost} />],
          ['Margin at list price', <Cost key="margin" amount={it.margin} />],
          ['Discount', <Money key="discount" amount={it.discount} />],
          ['Share of the margin given', `${Number(it.margin_share_pct)}%`],
          ['Cap', `${Number(it.cap_pct)}%`],
          ['Lowest fixed price allowed', <Money key="lowest" amount={it.lowest_fixed_price} />],
        ]}
      />
    </Section>
  );
}

const nameOf = ({ scope, target, is_own }: Candidate): string => {
  if (scope === 'account_default' || scope === 'none') return is_own ? 'Share agreed with the partner' : 'Top-up tier';
  return `${scopeName[scope]}: ${target}`;
};

const columns: readonly Column<Candidate>[] = [
  {
    label: 'Rule',
    cell: (one) => (
      <Group gap="xs">
        <span style={{ overflowWrap: 'anywhere' }}>{nameOf(one)}</span>
        {one.won && <Badge color="teal">Sets the price</Badge>}
      </Group>
    ),
  },
  {
    label: 'For',
    cell: ({ rule_id, is_own }) => (rule_id === null ? null : is_own ? 'This partner' : 'Every partner'),
  },
  {
    label: 'Gives',
    kind: 'figure',
    cell: ({ price, share_pct }) => (price === null ? `${Number(share_pct)}%` : <Money amount={price} />),
  },
  { label: 'Why', card: 'line', cell: ({ why }) => why },
];
