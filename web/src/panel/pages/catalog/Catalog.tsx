import { Button, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { IconDownload, IconSearch, IconTag } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { catalogFile, destinations } from '../../api/catalog.ts';
import { paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { DestinationGrid } from './DestinationGrid.tsx';
import { Plans } from './Plans.tsx';

const SEARCH_AFTER_MS = 300;

/** Destinations first; their plans, or those that match a search, when one is chosen. */
export function Catalog() {
  const { mode } = useMode();
  const filters = useFilters();
  const list = useQuery(destinations(mode));
  const [code, search] = [filters.of('destination'), filters.of('search')];
  const chosen = list.data?.destinations.find((one) => one.code === code);
  const find = useDebouncedCallback(
    (text: string) => filters.filter({ search: text, page: undefined }, 'further'),
    SEARCH_AFTER_MS,
  );
  return (
    <Page
      title={code === undefined ? 'Catalog' : (chosen?.title ?? code)}
      about={
        code === undefined &&
        'Every plan you can sell, with the price you pay, the list price, and your margin at your retail prices. The downloads include them.'
      }
      {...(code !== undefined && { back: { to: paths.catalog(mode), label: 'All destinations' } })}
      actions={
        <>
          <Button component={Link} to={paths.retail} variant="default" size="xs" leftSection={<IconTag size={14} />}>
            Retail prices
          </Button>
          <Button
            component="a"
            href={catalogFile(mode, 'csv')}
            download
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
          >
            CSV
          </Button>
          <Button
            component="a"
            href={catalogFile(mode, 'json')}
            download
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
          >
            JSON
          </Button>
        </>
      }
    >
      <Notices mode={mode} about={['account']} />
      <Group gap="sm" align="flex-start">
        <TextInput
          key={code}
          type="search"
          size="xs"
          label={code === undefined ? 'Search destinations and plans' : `Search in ${chosen?.title ?? code}`}
          description="Name, data, operator or plan id"
          placeholder="e.g. Japan 10 GB"
          leftSection={<IconSearch size={14} />}
          defaultValue={search ?? ''}
          onChange={({ currentTarget }) => find(currentTarget.value.trim())}
          autoComplete="off"
          maxLength={100}
          flex="1 1 16rem"
          maw={420}
        />
      </Group>
      {code === undefined && (
        <Section title="Destinations">
          <Loaded query={list} lines={8}>
            {({ destinations: all }) => <DestinationGrid mode={mode} all={all} search={search ?? ''} />}
          </Loaded>
        </Section>
      )}
      {(code !== undefined || search !== undefined) && <Plans mode={mode} filters={filters} chosen={chosen} />}
    </Page>
  );
}
