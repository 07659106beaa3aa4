import { Anchor, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { IconHistory, IconTag } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { Refusal } from '../../../parts/server/client.ts';
import { When } from '../../../parts/When.tsx';
import { factList } from '../../../subjects/plans/facts.ts';
import { type PlanView, plan } from '../../api/catalog.ts';
import { paths } from '../../paths.ts';
import { Difference } from '../../Sentence.tsx';
import { PlanRoute } from './PlanRoute.tsx';
import { SaleState } from './PlansTab.tsx';
import { PlanTerms } from './PlanTerms.tsx';

export function PlanPage() {
  const { id = '' } = useParams();
  const found = useQuery(plan(id));
  const back = { to: paths.catalog, label: 'Catalog' };
  if (found.error instanceof Refusal && found.error.code === 'not_found')
    return (
      <Page title="Plan not found" back={back}>
        <Text size="sm">There is no plan with this id. Plans off sale keep their page, so check the id.</Text>
      </Page>
    );
  return (
    <Page
      title={found.data?.plan.title ?? id}
      about={found.data && <SaleState plan={found.data.plan} />}
      actions={
        <Anchor component={Link} to={`${paths.prices}?tab=check&product=${encodeURIComponent(id)}`} className="target">
          Price check
        </Anchor>
      }
      back={back}
    >
      <Loaded query={found} lines={10}>
        {(it) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <AboutPlan of={it} />
              <PlanTerms of={it} />
            </SimpleGrid>
            <PlanRoute productId={it.plan.product_id} title={it.plan.title} />
            <FixedPrices of={it} />
            <Changes of={it} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const COUNTRIES_SHOWN = 12;

function AboutPlan({ of: { plan: it, supplier } }: { of: PlanView }) {
  const more = it.countries.length - COUNTRIES_SHOWN;
  return (
    <Section title="The plan">
      <Facts
        facts={[
          [
            'Plan id',
            <span key="id" className="mono">
              {it.product_id}
            </span>,
          ],
          ['Internal id', it.internal_id],
          ['For', `${it.destination_title} (${it.destination})`],
          ['Data', `${it.data}, ${count(it.days, 'day')}`],
          ['Network', [it.network, it.operator].filter(Boolean).join(', ')],
          ['Covers', it.countries.slice(0, COUNTRIES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')],
          ...factList(it.facts),
          ['Refill for', it.refills?.join(', ')],
          ['Fair use', it.fair_use],
          ['Note', it.info],
          ['Supplier', `${it.supplier_title} (${it.supplier})`],
          [
            'Supplier’s code',
            <span key="code" className="mono" style={{ overflowWrap: 'anywhere' }}>
              {it.supplier_plan}
            </span>,
          ],
          [
            'Supplier’s markup',
            supplier.markup_pct === null ? 'None: its own list prices' : `${Number(supplier.markup_pct)}%`,
          ],
          ['List last imported', <When key="at" at={supplier.imported_at} />],
        ]}
      />
    </Section>
  );
}

type Fixed = PlanView['rules'][number];
const fixedColumns: readonly Column<Fixed>[] = [
  {
    label: 'For',
    cell: ({ partner_id, partner_name }) => (partner_id === null ? 'Every partner' : `${partner_name} (${partner_id})`),
  },
  { label: 'Price', kind: 'figure', cell: ({ price }) => price && <Money amount={price} /> },
];

function FixedPrices({ of: { rules } }: { of: PlanView }) {
  return (
    <Section
      title="Fixed prices"
      about={
        <>
          Rules for this plan alone. Set them under{' '}
          <Anchor component={Link} to={paths.prices} inherit>
            Prices
          </Anchor>
          .
        </>
      }
      flush
    >
      {rules.length === 0 ? (
        <Empty icon={IconTag} title="No fixed prices" />
      ) : (
        <DataTable label="Fixed prices" columns={fixedColumns} rows={rules} rowKey={({ rule_id }) => rule_id} />
      )}
    </Section>
  );
}

type Change = PlanView['changes'][number];
const changeColumns: readonly Column<Change>[] = [
  {
    label: 'Change',
    cell: ({ differences }) => (differences.length === 0 ? 'Nothing was different' : <Difference of={differences} />),
  },
  { label: 'By', cell: ({ who }) => <span style={{ overflowWrap: 'anywhere' }}>{who}</span> },
  { label: 'Time', card: 'small', cell: ({ at }) => <When at={at} /> },
];

function Changes({ of: { changes } }: { of: PlanView }) {
  return (
    <Section title="Changed by hand" about="Newest first. What imports changed is in their history." flush>
      {changes.length === 0 ? (
        <Empty icon={IconHistory} title="Never changed by hand" />
      ) : (
        <DataTable label="Changes" columns={changeColumns} rows={changes} rowKey={({ at, who }) => `${at} ${who}`} />
      )}
    </Section>
  );
}
