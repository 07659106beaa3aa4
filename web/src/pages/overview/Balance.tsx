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

/** What pays for purchases: the wallet or, on invoice terms, the credit that is left. */
export function Balance({ mode, actions }: { mode: Mode; actions?: ReactNode }) {
  const wallet = useQuery(history(mode, 1, 1));
  const onCredit = useQuery(me).data?.partner.billing_mode === 'postpaid' && mode === 'live';
  return (
    <Section title={mode === 'live' ? 'Balance' : 'Test balance'} actions={actions}>
      <Loaded query={wallet}>
        {({ balances }) => (
          <>
            <Text fz={30} fw={600} lh={1.2} mb="sm">
              <Money amount={balances.balance} />
            </Text>
            <Facts
              facts={[
                ['Cash', <Money key="cash" amount={balances.cash} />],
                ['Promotional', <Money key="promo" amount={balances.promo} />],
              ]}
            />
          </>
        )}
      </Loaded>
      {onCredit && <Credit mode={mode} />}
    </Section>
  );
}

function Credit({ mode }: { mode: Mode }) {
  const account = useQuery(statement(mode, 1, 1));
  return (
    <Loaded query={account}>
      {({ credit_limit, outstanding, available }) => (
        <Facts
          facts={[
            ['Credit limit', <Money key="limit" amount={credit_limit} />],
            ['Outstanding', <Money key="outstanding" amount={outstanding} />],
            ['Available credit', <Money key="available" amount={available} />],
          ]}
        />
      )}
    </Loaded>
  );
}
