import { Progress, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { chooseColumn } from '../../../parts/ChosenBar.tsx';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconDeviceSim } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { type ManyDone, ManyOutcome } from '../../../parts/ManyOutcome.tsx';
import { megabytes } from '../../../parts/megabytes.ts';
import type { Mode } from '../../../parts/mode.ts';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { RowLink } from '../../../parts/RowLink.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChosen } from '../../../parts/useChosen.ts';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { ListFilters } from '../../../subjects/views/ListFilters.tsx';
import { type EsimRow, esims } from '../../api/esims.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { SCRIPTED } from '../orders/UsageBar.tsx';
import { EsimState, stateName } from './EsimState.tsx';
import { SwitchMany } from './SwitchMany.tsx';

const PER_PAGE = 20;
/** New eSIMs and readings show up by themselves. */
const EVERY_MS = 15_000;

const states = Object.entries(stateName).map(([value, label]) => ({ value, label }));

export function Esims() {
  const { mode } = useMode();
  const filters = useFilters();
  const { of, goBefore } = filters;
  const [state, before] = [of('state'), of('before')];
  const [outcome, setOutcome] = useState<ManyDone>();
  const size = pageSize(filters, PER_PAGE);
  const found = useQuery({
    ...esims(mode, { state, before_id: before }, size.value),
    // Rows of the other world must not be taken for this one's.
    placeholderData: (last, of) => (of?.queryKey[0] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  return (
    <Page
      title="eSIMs"
      about={
        mode === 'live'
          ? 'Every eSIM delivered to you, newest first, as of its last usage reading.'
          : `Every test eSIM, newest first. ${SCRIPTED}`
      }
    >
      <Notices mode={mode} about={['account']} />
      {outcome && <ManyOutcome of={outcome} onClose={() => setOutcome(undefined)} />}
      <Section title="All eSIMs" flush>
        <ListFilters
          list="esims"
          filters={filters}
          fields={[{ name: 'state', label: 'State', kind: 'choice', choices: states }]}
        />
        <Loaded query={found} lines={5}>
          {({ esims: rows, has_more }) => (
            <>
              {rows.length > 0 ? (
                <List list={`${mode} ${state} ${before}`} {...{ mode, rows, setOutcome }} />
              ) : (
                <Empty
                  icon={IconDeviceSim}
                  title={before ? 'No older eSIMs' : state ? 'No eSIMs are in this state' : 'No eSIMs yet'}
                >
                  {!state && !before && 'An eSIM appears here when its order is delivered.'}
                </Empty>
              )}
              <OlderPager
                shown={[rows.length, 'eSIM']}
                size={size}
                isFurther={before !== undefined}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(rows.at(-1)?.order_id)}
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
  rows: readonly EsimRow[];
  setOutcome: (outcome: ManyDone) => void;
}

/** eSIMs whose supplier suspends and resumes them can be switched together. */
function List({ mode, list, rows, setOutcome }: ListProps) {
  const may = useMay();
  const chosen = useChosen<EsimRow>(({ iccid }) => iccid, list);
  const switchable = may('refund') ? rows.filter(isSwitchable) : [];
  const choose = chooseColumn(chosen, (row) => (isSwitchable(row) ? `Choose eSIM ${row.iccid}` : undefined), 'fact');
  const isChoosing = switchable.length > 0 || chosen.rows.length > 0;
  return (
    <>
      <DataTable
        label="eSIMs"
        columns={isChoosing ? [choose, ...columns(mode)] : columns(mode)}
        rows={rows}
        rowKey={({ order_id }) => order_id}
      />
      {isChoosing && <SwitchMany rows={switchable} onDone={setOutcome} {...{ mode, chosen }} />}
    </>
  );
}

const isSwitchable = ({ capabilities }: EsimRow): boolean => capabilities.includes('suspend');

const columns = (mode: Mode): Column<EsimRow>[] => [
  {
    label: 'ICCID',
    card: 'title',
    cell: ({ iccid, reference }) => (
      <Stack gap={2} maw={220}>
        <RowLink to={paths.esim(mode, iccid)}>{iccid}</RowLink>
        {reference && (
          <Text c="dimmed" className="mono" span>
            {reference}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    label: 'Plan',
    card: 'line',
    cell: ({ product_title, country_name }) => (
      <Stack gap={2}>
        <Text size="sm" span>
          {product_title}
        </Text>
        <Text size="xs" c="dimmed" span>
          {country_name}
        </Text>
      </Stack>
    ),
  },
  { label: 'State', cell: ({ state }) => <EsimState state={state} /> },
  { label: 'Usage', card: 'small', cell: (row) => <UsedOf row={row} /> },
  {
    label: 'Refills',
    kind: 'figure',
    card: 'fact',
    cell: ({ refills }) => refills > 0 && <span className="num">{refills}</span>,
  },
  { label: 'Expires', card: 'fact', cell: ({ expires_at }) => expires_at && <When at={expires_at} /> },
];

/** The list does not mark unlimited plans: they have no total, or their title says so where a supplier reports one. */
const isUnlimited = ({ total_mb, product_title }: EsimRow): boolean =>
  total_mb === 0 || /\bunlimited\b/i.test(product_title);

function UsedOf({ row }: { row: EsimRow }) {
  const { state, fetched_at, used_mb, total_mb } = row;
  if (state === 'cancelled') return null;
  const total = isUnlimited(row) ? 'unlimited' : megabytes(total_mb);
  if (fetched_at === null)
    return (
      <Text size="sm" c="dimmed" span>
        No reading yet, {total}
      </Text>
    );
  if (isUnlimited(row))
    return (
      <span className="num">
        {megabytes(used_mb)}
        {state === 'depleted' ? ' used' : ', unlimited'}
      </span>
    );
  const percent = Math.min(100, Math.round((used_mb / total_mb) * 100));
  return (
    <Stack gap={4} miw={90}>
      <span className="num">
        {megabytes(used_mb)} of {total}
      </span>
      <Progress
        value={percent}
        size="sm"
        color={percent >= 100 ? 'red' : percent >= 80 ? 'yellow' : 'teal'}
        aria-label={`${percent} percent used`}
      />
    </Stack>
  );
}
