import { Badge, NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconHelp } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { RowLink } from '../../../parts/RowLink.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { type HelpRequest, helpRequests } from '../../api/help.ts';
import { paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { stateName, stepName, symptomName } from './words.ts';

/** New requests show up by themselves. */
const EVERY_MS = 15_000;

const color: Record<HelpRequest['state'], string> = { open: 'yellow', answered: 'teal', closed: 'gray' };
export const RequestState = ({ state }: { state: HelpRequest['state'] }) => (
  <Badge color={color[state]}>{stateName[state]}</Badge>
);

export function HelpRequests() {
  const { mode } = useMode();
  const { of, filter, goBefore } = useFilters();
  const [status, before] = [of('status'), of('before')];
  const found = useQuery({
    ...helpRequests(mode, { status, before }),
    // Rows of the other world must not be taken for this one's.
    placeholderData: (last, query) => (query?.queryKey[0] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  return (
    <Page
      title="Help requests"
      about="Travellers who tapped “It doesn’t work” on the page of their eSIM, and were not helped by its answer. Newest first."
    >
      <Section
        title="All requests"
        flush
        actions={
          <NativeSelect
            aria-label="State"
            size="xs"
            data={[
              { value: '', label: 'All states' },
              ...Object.entries(stateName).map(([value, label]) => ({ value, label })),
            ]}
            value={status ?? ''}
            onChange={({ currentTarget }) => filter({ status: currentTarget.value })}
          />
        }
      >
        <Loaded query={found} lines={5}>
          {({ requests, has_more }) => (
            <>
              {requests.length > 0 ? (
                <DataTable label="Help requests" columns={columns(mode)} rows={requests} rowKey={({ id }) => id} />
              ) : (
                <Empty
                  icon={IconHelp}
                  title={before ? 'No older requests' : status ? 'No requests are in this state' : 'No requests yet'}
                >
                  {!status &&
                    !before &&
                    'The page of an eSIM answers most questions by itself. What it cannot answer comes here.'}
                </Empty>
              )}
              <OlderPager
                shown={[requests.length, 'request']}
                isFurther={before !== undefined}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(requests.at(-1)?.id)}
              />
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

const columns = (mode: Mode): Column<HelpRequest>[] => [
  { label: 'Request', card: 'title', cell: ({ id }) => <RowLink to={paths.helpRequest(mode, id)}>{id}</RowLink> },
  {
    label: 'The phone shows',
    card: 'line',
    cell: ({ shows, message }) => (
      <Stack gap={2} maw={380}>
        <Text size="sm" span>
          {symptomName[shows]}
        </Text>
        {message && (
          <Text size="xs" c="dimmed" span lineClamp={2} dir="auto">
            {message}
          </Text>
        )}
      </Stack>
    ),
  },
  { label: 'Advised', card: 'fact', cell: ({ step }) => stepName[step] },
  { label: 'State', cell: ({ state }) => <RequestState state={state} /> },
  { label: 'Sent', card: 'fact', cell: ({ created_at }) => <When at={created_at} /> },
];
