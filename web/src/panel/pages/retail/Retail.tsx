import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { type Retail as RetailData, retail } from '../../api/retail.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { DestinationMarkups } from './DestinationMarkups.tsx';
import { endingName, TermsForm } from './TermsForm.tsx';

/** What the partner sells for. */
export function Retail() {
  const { mode } = useMode();
  const read = useQuery(retail);
  const mayChange = useMay()('spend');
  return (
    <Page
      title="Retail prices"
      about="The prices you sell at, in live and sandbox. They set your margin and revenue in the catalog, its downloads and Insight. The API does not return them: your shop sets its own prices."
    >
      <Loaded query={read} lines={6}>
        {(data) => (
          <>
            <Section
              title="Rule"
              about="For every plan without a price of its own. Your price, plus the markup, in your currency, then rounded once."
            >
              {mayChange ? <TermsForm terms={data.terms} /> : <Terms of={data} />}
            </Section>
            <DestinationMarkups of={data.destinations} mayChange={mayChange} />
            <Section title="Plans" about={aboutPlans(data)}>
              <Button
                component={Link}
                to={paths.catalog(mode)}
                variant="default"
                size="xs"
                style={{ alignSelf: 'flex-start' }}
              >
                Open the catalog
              </Button>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Terms = ({ of: { terms } }: { of: RetailData }) => (
  <Facts
    facts={[
      ['Markup', terms.markup === null ? 'None' : `${terms.markup}%`],
      ['Prices', endingName[terms.ending]],
      ['Currency', terms.currency === 'USD' ? 'USD' : `${terms.currency}, ${terms.rate} for a dollar`],
    ]}
  />
);

const aboutPlans = ({ plan_prices, idle_prices, terms }: RetailData): string =>
  [
    plan_prices === 0
      ? 'No plan has a price of its own. Type one beside a plan in the catalog.'
      : `${count(plan_prices, 'plan')} with a price of ${plan_prices === 1 ? 'its' : 'their'} own, typed in the catalog.`,
    idle_prices > 0 &&
      `${count(idle_prices, 'price')} typed in another currency: kept, but not used while you sell in ${terms.currency}.`,
  ]
    .filter(Boolean)
    .join(' ');
