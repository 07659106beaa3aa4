import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { LimitUses } from '../../../subjects/limits/LimitUses.tsx';
import { isBeyond, limitWords, usedOf } from '../../../subjects/limits/limits.ts';
import { accountLimits } from '../../api/money.ts';

/** What the operator lets the account spend, with its use; nothing if there are no limits. */
export function AccountLimits({ mode }: { mode: Mode }) {
  const limits = useQuery(accountLimits(mode)).data?.limits ?? [];
  if (limits.length === 0) return null;
  const title = 'Spending limits of your account';
  return (
    <Section
      title={title}
      about={`Set by the operator; ask them for a change. ${
        mode === 'live'
          ? 'Everything you buy in live counts: with any key, in the panel and by agents.'
          : 'They hold in the sandbox too, which counts only its own orders.'
      }`}
    >
      <LimitUses of={limits} label={title} />
    </Section>
  );
}

/** Which limits have no room for a purchase at this price, what was used of them, and when they reset. */
export function BeyondLimits({ mode, price }: { mode: Mode; price: number }) {
  const limits = useQuery({ ...accountLimits(mode), staleTime: 0 }).data?.limits ?? [];
  const beyond = limits.filter((limit) => isBeyond(limit, price));
  return (
    <>
      <Text size="sm">A spending limit of your account has no room for this purchase.</Text>
      {beyond.map((limit) => {
        const { used, left } = usedOf(limit);
        return (
          <Text key={limitWords(limit)} size="sm" mt={4}>
            Your account may {limit.amount === null ? 'buy' : 'spend'} {limitWords(limit)}
            {limit.per === 'order' ? (
              '.'
            ) : (
              <>
                : {used} used, {left} left. The limit resets <When at={limit.resets_at} exact />.
              </>
            )}
          </Text>
        );
      })}
      <Text size="sm" mt={4}>
        The operator sets these limits. Ask them if you need more.
      </Text>
    </>
  );
}
