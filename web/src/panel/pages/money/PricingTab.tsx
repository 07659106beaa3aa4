import { Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { type Pricing, pricing } from '../../api/money.ts';
import { Prices } from './Prices.tsx';

const sources = {
  default: 'Standard share',
  tier: 'Your top-up tier',
  account: 'Agreed with the operator',
} as const;

export function PricingTab({ mode }: { mode: Mode }) {
  return (
    <Stack>
      <Terms mode={mode} />
      <Prices mode={mode} />
    </Stack>
  );
}

function Terms({ mode }: { mode: Mode }) {
  const read = useQuery(pricing(mode));
  return (
    <Loaded query={read} lines={6}>
      {({ pricing: it }) => (
        <SimpleGrid cols={{ base: 1, md: it.tier ? 2 : 1 }}>
          <Section
            title="Your margin share"
            about="You get this share of the margin as a discount on every plan’s list price."
          >
            <Text fz="xxl" fw={600} lh={1.2} mb="sm" className="num">
              {it.margin_share_pct}%
            </Text>
            <Facts
              facts={[
                ['Set by', sources[it.margin_share_source]],
                ['Average discount', average(it)],
                ['Custom price rules', it.active_rule_count],
                ['Maximum total share', `${it.total_share_cap_pct}%`],
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
  average_discount_pct === null ? 'Not available' : `${average_discount_pct}% across ${count(sample_size, 'plan')}`;

function Tier({ of: tier }: { of: NonNullable<Pricing['tier']> }) {
  const { next_min_usd, next_pct, topup_usd, window_days, current_pct } = tier;
  return (
    <Section title="Top-up tier" about={`Based on your top-ups in the last ${count(window_days, 'day')}.`}>
      <Stack gap="sm">
        <Facts
          facts={[
            ['Topped up', <Money key="topped" amount={topup_usd} />],
            ['Margin share', `${current_pct}%`],
          ]}
        />
        {next_min_usd === null ? (
          <Text size="sm">You’re in the highest tier.</Text>
        ) : (
          <>
            <Progress
              value={Math.min(100, (topup_usd / next_min_usd) * 100)}
              aria-label={`Topped up ${topup_usd} of ${next_min_usd} dollars for the next tier`}
            />
            <Text size="sm">
              Top up <Money amount={next_min_usd - topup_usd} /> more to reach {next_pct}%.
            </Text>
          </>
        )}
      </Stack>
    </Section>
  );
}
