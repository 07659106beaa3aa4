import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { history, statement } from '../../api/money.ts';
import { me } from '../../api/session.ts';
import { Facts } from '../../components/Facts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Money } from '../../components/Money.tsx';
import { Section } from '../../components/Section.tsx';
import type { Mode } from '../../paths.ts';

interface BalanceProps {
  mode: Mode;
  actions?: ReactNode;
}

/** What can be spent now: the wallet or, on invoice terms, the credit that is left. */
export function Balance({ mode, actions }: BalanceProps) {
  const who = useQuery(me);
  const isOnCredit = who.data?.partner.billing_mode === 'postpaid' && mode === 'live';
  return isOnCredit ? <Credit mode={mode} actions={actions} /> : <Wallet mode={mode} actions={actions} />;
}

function Wallet({ mode, actions }: BalanceProps) {
  const wallet = useQuery(history(mode, 1, 1));
  return (
    <Section title={mode === 'live' ? 'Balance' : 'Test balance'} actions={actions}>
      <Loaded query={wallet}>
        {({ balances }) => (
          <>
            <Headline amount={balances.balance} />
            <Facts
              facts={[
                ['Cash', <Money key="cash" amount={balances.cash} />],
                ['Promotional', <Money key="promo" amount={balances.promo} />],
              ]}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Credit({ mode, actions }: BalanceProps) {
  const account = useQuery(statement(mode, 1, 1));
  const wallet = useQuery(history(mode, 1, 1)).data?.balances.balance;
  return (
    <Section title="Available credit" actions={actions}>
      <Loaded query={account}>
        {(data) => (
          <>
            <Headline amount={data.available} />
            <Facts
              facts={[
                ['Credit limit', <Money key="limit" amount={data.credit_limit} />],
                ['Outstanding', <Money key="outstanding" amount={data.outstanding} />],
                ['Wallet', wallet !== undefined && <Money key="wallet" amount={wallet} />],
              ]}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Headline({ amount }: { amount: number | string }) {
  return (
    <Text fz={30} fw={600} lh={1.2} mb="sm">
      <Money amount={amount} />
    </Text>
  );
}
