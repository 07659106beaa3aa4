import { Group, Stack } from '@mantine/core';
import { IconReceiptRefund } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Choice } from '../../../parts/Choice.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { refunds } from '../../api/orders.ts';
import { useWorld } from '../../useWorld.ts';
import { WorldSwitch } from '../../WorldSwitch.tsx';
import { RefundCard } from './RefundCard.tsx';
import { useLate } from './useLate.ts';

const EVERY_MS = 15_000;

const tabs = [
  { value: 'requested', label: 'Waiting for you' },
  { value: 'withdrawing', label: 'At the supplier' },
  { value: 'refunded', label: 'Refunded' },
  { value: 'rejected', label: 'Rejected' },
] as const;

const none: Record<string, [title: string, more: string]> = {
  requested: [
    'No request waits for you',
    'Partners ask through the API or their panel. New requests appear here by themselves.',
  ],
  withdrawing: [
    'No eSIM is on its way back',
    'While a supplier is asked to take an eSIM back, its refund is listed here.',
  ],
  refunded: ['Nothing was refunded yet', ''],
  rejected: ['No request was rejected', ''],
};

/** Requests for money back: those that wait for a person first. */
export function Refunds() {
  const mode = useWorld();
  const { of, filter, goBefore } = useFilters();
  const { late, watch } = useLate();
  const status = of('status') ?? 'requested';
  const found = useQuery({
    ...refunds(mode, { status, partner: of('partner'), before: of('before') }),
    placeholderData: (last, query) => (query?.queryKey[2] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  return (
    <Page
      title="Refund requests"
      about="Partners ask for their money back. Where the supplier takes an unused eSIM back, that happens by itself; the rest waits for you."
      actions={<WorldSwitch />}
    >
      <Group>
        <Choice
          label="Which refunds"
          options={tabs}
          value={status}
          onChange={(value) => filter({ status: value === 'requested' ? undefined : value })}
        />
      </Group>
      <Problem error={late} />
      <Loaded query={found} lines={6}>
        {({ refunds: rows, has_more }) => (
          <Stack>
            {rows.length === 0 && (
              <Empty icon={IconReceiptRefund} title={none[status]?.[0] ?? 'Nothing here'}>
                {none[status]?.[1]}
              </Empty>
            )}
            {rows.map((row) => (
              <RefundCard key={row.order.id} mode={mode} refund={row} watch={watch} />
            ))}
            <OlderPager
              isFurther={of('before') !== undefined}
              hasMore={has_more}
              onNewest={() => goBefore(undefined)}
              onOlder={() => goBefore(rows.at(-1)?.order.id)}
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
