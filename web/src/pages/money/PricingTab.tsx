import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Pricing, pricing } from '../../api/money.ts';
import { Facts } from '../../components/Facts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Money } from '../../components/Money.tsx';
import { Section } from '../../components/Section.tsx';
import type { Mode } from '../../paths.ts';

const sources = {
  default: 'The standard share',
  tier: 'Your top-up tier',
  account: 'Agreed for your account',
} as const;

export function PricingTab({ mode }: { mode: Mode }) {
  const read = useQuery(pricing(mode));
  return (
    <Loaded query={read} lines={6}>
      {({ pricing: it }) => (
        <SimpleGrid cols={{ base: 1, md: it.tier ? 2 : 1 }}>
          <Section title="Your share of the margin" about="It becomes a discount on the list price of every plan.">
            <Text fz={30} fw={600} lh={1.2} mb="sm" className="num">
              {it.margin_share_pct} %
            </Text>
            <Facts
              facts={[
                ['Set by', sources[it.margin_share_source]],
                ['Average discount', average(it)],
                ['Price rules of your own', it.active_rule_count],
                ['Most that is shared in all', `${it.total_share_cap_pct} %`],
              ]}
            />
          </Section>
          {it.tier && <Tier of={it.tier} />}
        </SimpleGrid>
      )}
    </Loaded>
  );
}

const average = ({ average_discount_pct, sample_size }: Pricing): string =>
  average_discount_pct === null ? 'Not measured' : `${average_discount_pct} % over ${sample_size} plans`;

function Tier({ of: tier }: { of: NonNullable<Pricing['tier']> }) {
  const { next_min_usd, next_pct, topup_usd, window_days, current_pct } = tier;
  return (
    <Section title="Top-up tier" about={`It follows what you top up within ${window_days} days.`}>
      <Stack gap="sm">
        <Facts
          facts={[
            ['Topped up', <Money key="topped" amount={topup_usd} />],
            ['Share of this tier', `${current_pct} %`],
          ]}
        />
        {next_min_usd === null ? (
          <Text size="sm">This is the highest tier.</Text>
        ) : (
          <>
            <Progress
              value={Math.min(100, (topup_usd / next_min_usd) * 100)}
              aria-label={`Topped up ${topup_usd} of ${next_min_usd} dollars for the next tier`}
            />
            <Text size="sm">
              <Money amount={next_min_usd - topup_usd} /> more brings {next_pct} %.
            </Text>
          </>
        )}
      </Stack>
    </Section>
  );
}
