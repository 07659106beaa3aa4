import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { Allowed } from '../../Allowed.tsx';
import { history, statement } from '../../api/money.ts';
import { notices } from '../../api/notices.ts';
import { me } from '../../api/session.ts';
import { useMay } from '../../useMay.ts';

interface BalanceProps {
  mode: Mode;
  actions?: ReactNode;
}

/** What can be spent now, from the wallet or, on invoice terms, from the credit that is left; and what blocks spending. */
export function Balance({ mode, actions }: BalanceProps) {
  const who = useQuery(me);
  const maySee = useMay()('see-money');
  const isOnCredit = who.data?.partner.billing_mode === 'postpaid' && mode === 'live';
  if (!maySee)
    return (
      <Section title="Balance">
        <Allowed to="see-money" cannot="see the balance">
          {null}
        </Allowed>
      </Section>
    );
  return isOnCredit ? <Credit mode={mode} actions={actions} /> : <Wallet mode={mode} actions={actions} />;
}

const useIsSuspended = (mode: Mode): boolean => useQuery(notices(mode)).data?.suspended ?? false;

function Wallet({ mode, actions }: BalanceProps) {
  const wallet = useQuery(history(mode, 1, 1));
  const isSuspended = useIsSuspended(mode);
  return (
    <Section title={mode === 'live' ? 'Balance' : 'Test balance'} actions={actions}>
      <Loaded query={wallet}>
        {({ balances }) => (
          <>
            <Spendable amount={balances.balance} blockedBy={isSuspended && <Suspended />} />
            <Facts
              facts={[
                ['Cash', <Money key="cash" amount={balances.cash} />],
                ['Promotional', <Money key="promo" amount={balances.promo} />],
                ['Owed from invoices', balances.debt > 0 && <Money key="debt" amount={balances.debt} />],
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
        {(data) => {
          const isSuspended = data.status !== 1;
          const left = Number(data.available);
          return (
            <>
              <Spendable
                amount={isSuspended ? 0 : Math.max(0, left)}
                blockedBy={
                  isSuspended ? <Suspended /> : left <= 0 && <UsedUp over={-left} limit={Number(data.credit_limit)} />
                }
              />
              <Facts
                facts={[
                  ['Credit limit', <Money key="limit" amount={data.credit_limit} />],
                  ['Outstanding', <Money key="outstanding" amount={data.outstanding} />],
                  ['Wallet', wallet !== undefined && <Money key="wallet" amount={wallet} />],
                ]}
              />
              {wallet !== undefined && wallet > 0 && (
                <Text size="sm" c="dimmed" mt="xs">
                  On invoice terms purchases use your credit, not the wallet.
                </Text>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function Suspended() {
  return <>Nothing can be spent: your account is suspended. Contact the operator to reactivate it.</>;
}

function UsedUp({ over, limit }: { over: number; limit: number }) {
  if (over === 0 && limit === 0) return <>Nothing can be spent: you have no credit limit. Ask the operator for one.</>;
  if (over === 0) return <>Nothing can be spent: your credit limit is used up. A payment frees it again.</>;
  return (
    <>
      Nothing can be spent: you owe <Money amount={over} /> more than your credit limit. Purchases are refused until a
      payment is recorded.
    </>
  );
}

function Spendable({ amount, blockedBy }: { amount: number | string; blockedBy: ReactNode }) {
  return (
    <>
      <Text fz="xxl" fw={600} lh={1.2} mb={blockedBy ? 4 : 'sm'}>
        <Money amount={amount} />
      </Text>
      {blockedBy && (
        <Text size="sm" mb="sm" c="var(--danger)">
          {blockedBy}
        </Text>
      )}
    </>
  );
}
