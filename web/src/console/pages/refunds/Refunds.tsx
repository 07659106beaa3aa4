import { Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../../../parts/Choice.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconReceiptRefund } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { type ManyDone, ManyOutcome } from '../../../parts/ManyOutcome.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import { useChosen } from '../../../parts/useChosen.ts';
import { useFilters } from '../../../parts/useFilters.ts';
import { type RefundRow, refunds } from '../../api/orders.ts';
import { useMay } from '../../useMay.ts';
import { useWorld } from '../../useWorld.ts';
import { WorldSwitch } from '../../WorldSwitch.tsx';
import { DecideMany } from './DecideMany.tsx';
import { RefundTable } from './RefundTable.tsx';
import { useLate, type Watch } from './useLate.ts';

const PER_PAGE = 25;
const EVERY_MS = 15_000;

const tabs = [
  { value: 'requested', label: 'Waiting for you' },
  { value: 'withdrawing', label: 'At the supplier' },
  { value: 'refunded', label: 'Refunded' },
  { value: 'rejected', label: 'Rejected' },
] as const;

const none: Record<string, [title: string, more: string]> = {
  requested: ['No request waits for you', 'Partners ask through the API or their panel. New requests appear here.'],
  withdrawing: [
    'No withdrawal is pending',
    'While a supplier is asked to withdraw an eSIM, its refund is listed here.',
  ],
  refunded: ['Nothing was refunded yet', ''],
  rejected: ['No request was rejected', ''],
};

/** Refund requests, those waiting for a decision first. */
export function Refunds() {
  const mode = useWorld();
  const filters = useFilters();
  const { of, filter, goBefore } = filters;
  const size = pageSize(filters, PER_PAGE);
  const { late, watch } = useLate();
  const [outcome, setOutcome] = useState<ManyDone>();
  const status = of('status') ?? 'requested';
  const found = useQuery({
    ...refunds(mode, { status, partner: of('partner'), before: of('before'), limit: size.value }),
    placeholderData: (last, query) => (query?.queryKey[2] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  return (
    <Page
      title="Refund requests"
      about="Refunds that partners ask for. If the supplier withdraws an unused eSIM, it is refunded automatically; the rest needs your decision."
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
      {outcome && <ManyOutcome of={outcome} onClose={() => setOutcome(undefined)} />}
      <Section title={tabs.find(({ value }) => value === status)?.label ?? 'Refunds'} flush>
        <Loaded query={found} lines={6}>
          {({ refunds: rows, has_more }) => (
            <>
              {rows.length === 0 ? (
                <Empty icon={IconReceiptRefund} title={none[status]?.[0] ?? 'Nothing here'}>
                  {none[status]?.[1]}
                </Empty>
              ) : (
                <List
                  list={`${mode} ${status} ${of('partner')} ${of('before')}`}
                  {...{ mode, status, rows, watch, setOutcome }}
                />
              )}
              <OlderPager
                shown={[rows.length, 'request']}
                size={size}
                isFurther={of('before') !== undefined}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(rows.at(-1)?.order.id)}
              />
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

interface ListProps {
  mode: Mode;
  list: string;
  status: string;
  rows: readonly RefundRow[];
  watch: Watch;
  setOutcome: (outcome: ManyDone) => void;
}

function List({ mode, list, status, rows, watch, setOutcome }: ListProps) {
  const chosen = useChosen<RefundRow>(({ order }) => order.id, list);
  const mayDecide = useMay()('money') && status === 'requested';
  return (
    <>
      <RefundTable mode={mode} rows={rows} chosen={mayDecide ? chosen : undefined} watch={watch} />
      {mayDecide && <DecideMany mode={mode} rows={rows} chosen={chosen} onDone={setOutcome} />}
    </>
  );
}
