import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { LimitUses } from '../../../subjects/limits/LimitUses.tsx';
import { allPartners, type Partner } from '../../api/partners.ts';
import { Notes } from '../../Notes.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { BillingSection } from './BillingSection.tsx';
import { CanSpend } from './CanSpend.tsx';
import { EditLimits } from './EditLimits.tsx';
import { EditTerms } from './EditTerms.tsx';
import { billingName, PartnerStatus } from './PartnerStatus.tsx';
import { SalesSection } from './SalesSection.tsx';
import { StatusActions } from './StatusActions.tsx';

export function Overview({ of }: { of: Partner }) {
  const may = useMay();
  const isOpen = of.status !== 'closed';
  return (
    <Stack gap="lg">
      {of.is_live && <SalesSection of={of} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title="Terms" actions={may('money') && isOpen && <EditTerms of={of} />}>
          <Facts
            facts={[
              ['Billing', billingName[of.billing_mode]],
              ['Credit limit', <Money key="limit" amount={of.wallet.credit_limit} />],
              [
                'Balance alert',
                of.balance_alert === null ? (
                  'Off'
                ) : (
                  <span key="alert">
                    Below <Money amount={of.balance_alert} />
                  </span>
                ),
              ],
              [
                'Replacements',
                Number(of.replacement_budget) === 0 ? (
                  'You decide about each one'
                ) : (
                  <span key="replacements">
                    Up to <Money amount={of.replacement_budget} /> per month
                  </span>
                ),
              ],
              ['Margin share', of.margin_share_pct === null ? 'As its tier says' : `${of.margin_share_pct} %, fixed`],
              [
                'Revenue share',
                of.revenue_share_pct === null ? 'Off' : `${of.revenue_share_pct} % of the cost of unused data`,
              ],
            ]}
          />
        </Section>
        <Section title="Account">
          <Facts
            facts={[
              ['Status', <PartnerStatus key="status" of={of} />],
              ['Live', !of.is_live && 'Not open: it signed up and is not approved yet'],
              ['Can spend', <CanSpend key="can" of={of} />],
              ['Balance', <Money key="balance" amount={of.wallet.balance} />],
              ['Debt', Number(of.wallet.debt) !== 0 && <Money key="debt" amount={of.wallet.debt} />],
              ['Orders, last 30 days', <Lately key="orders" of={of} />],
              ['Created', <When key="created" at={of.created_at} />],
              ['Billing account since', of.billing_opened_at && <When key="opened" at={of.billing_opened_at} />],
              ['Closed', of.closed_at && <When key="closed" at={of.closed_at} />],
            ]}
          />
        </Section>
      </SimpleGrid>
      <BillingSection of={of} />
      <Section
        title="Spending limits"
        about="All purchases in live count: with any key, in the panel and by agents."
        actions={may('money') && isOpen && <EditLimits of={of} />}
      >
        {of.limits.length > 0 ? (
          <LimitUses of={of.limits} label={`Spending limits of ${of.name}`} />
        ) : (
          <Text size="sm" c="dimmed">
            None: the partner may spend all it has. Its keys can have limits of their own.
          </Text>
        )}
      </Section>
      <Notes notes={of.notes} about={{ partner: String(of.id) }} touches={allPartners} />
      {isOpen && (may('money') || may('manage')) && <StatusActions of={of} />}
    </Stack>
  );
}

function Lately({ of: { id, recent } }: { of: Partner }) {
  return (
    <span>
      <Anchor component={Link} to={`${paths.orders}?partner=${id}`} size="sm" className="target">
        {count(recent.orders, 'order')}
      </Anchor>
      {recent.orders > 0 && (
        <>
          {' '}
          for <Money amount={recent.charged} />
        </>
      )}
      {Number(recent.returned) > 0 && (
        <>
          , <Money amount={recent.returned} /> of it given back
        </>
      )}
    </span>
  );
}
