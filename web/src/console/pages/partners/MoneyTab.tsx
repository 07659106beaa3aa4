import { Alert, Anchor, Group, Stack } from '@mantine/core';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Choice } from '../../../parts/Choice.tsx';
import { DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { IconCash } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Pager } from '../../../parts/Pager.tsx';
import { Section } from '../../../parts/Section.tsx';
import { movementColumns } from '../../../subjects/money/movementColumns.tsx';
import { type Movement, movements, type Partner } from '../../api/partners.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { CanSpend } from './CanSpend.tsx';
import { MoveMoney } from './MoveMoney.tsx';

/** As the server's. */
const PER_PAGE = 25;
const EVERY_MS = 15_000;

/** The partner's balance and debt, and the movements behind them. */
export function MoneyTab({ of }: { of: Partner }) {
  const may = useMay();
  const { wallet } = of;
  const mayMove = may('money') && of.status !== 'closed';
  const isOnCredit = of.billing_mode === 'postpaid';
  const hasDebt = isOnCredit || Number(wallet.debt) !== 0;
  return (
    <Stack gap="lg">
      <Section
        title="Wallet and debt"
        actions={
          <Anchor component={Link} to={`${paths.money}?tab=statements&partner=${of.id}`} size="sm" className="target">
            Monthly statements
          </Anchor>
        }
      >
        <Facts
          facts={[
            ['Can spend', <CanSpend key="can" of={of} />],
            ['Balance', <Money key="balance" amount={wallet.balance} />],
            ['Of it cash', Number(wallet.promo) !== 0 && <Money key="cash" amount={wallet.cash} />],
            ['Of it promotional credit', Number(wallet.promo) !== 0 && <Money key="promo" amount={wallet.promo} />],
            ['Debt', hasDebt && <Money key="debt" amount={wallet.debt} />],
            ['Credit limit', isOnCredit && <Money key="limit" amount={wallet.credit_limit} />],
          ]}
        />
        {Number(wallet.debt) < 0 && (
          <Alert color="gray" p="sm" mt="md">
            The debt is below zero because more was refunded than was still owed. The next purchases use it up.
          </Alert>
        )}
        {mayMove && (
          <Group gap="xs" mt="md">
            <MoveMoney of={of} kind="credit" />
            <MoveMoney of={of} kind="promo" />
            {Number(wallet.debt) > 0 && <MoveMoney of={of} kind="payment" />}
            <MoveMoney of={of} kind="adjust" />
          </Group>
        )}
      </Section>
      <Movements of={of} hasDebt={hasDebt} />
    </Stack>
  );
}

const isOf = (key: QueryKey | undefined, book: string): boolean =>
  (key?.at(-1) as { readonly book?: string } | undefined)?.book === book;

function Movements({ of, hasDebt }: { of: Partner; hasDebt: boolean }) {
  const [book, setBook] = useState<'wallet' | 'debt'>(of.billing_mode === 'postpaid' ? 'debt' : 'wallet');
  const [page, setPage] = useState(1);
  const read = useQuery({
    ...movements(of.id, book, page),
    // Lines of the other book must not be taken for this one's.
    placeholderData: (last, query) => (isOf(query?.queryKey, book) ? last : undefined),
    refetchInterval: EVERY_MS,
  });
  return (
    <Section
      title="Latest movements"
      about={
        book === 'wallet' ? 'Newest first, with the balance after each.' : 'Newest first, with the debt after each.'
      }
      actions={
        hasDebt && (
          <Choice
            isSmall
            label="Book"
            options={[
              { value: 'wallet', label: 'Wallet' },
              { value: 'debt', label: 'Debt' },
            ]}
            value={book}
            onChange={(value) => {
              setBook(value);
              setPage(1);
            }}
          />
        )
      }
      flush
    >
      <Loaded query={read} lines={6}>
        {({ movements: rows, total }) => (
          <>
            {rows.length === 0 ? (
              <Empty icon={IconCash} title="No movements yet">
                {book === 'wallet'
                  ? 'Top-ups, purchases and refunds appear here.'
                  : 'Charges and payments appear here.'}
              </Empty>
            ) : (
              <DataTable
                label={book === 'wallet' ? 'Wallet movements' : 'Debt movements'}
                columns={movementColumns<Movement>(paths.order, {
                  at: ({ at }) => at,
                  after: book === 'wallet' ? 'Balance' : 'Debt',
                })}
                rows={rows}
                rowKey={({ id }) => id}
              />
            )}
            <Pager page={page} perPage={PER_PAGE} of={[total, 'movement']} onPage={setPage} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
