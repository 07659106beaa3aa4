import { Anchor, Badge, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import {
  type Description,
  type Entry,
  entriesOf,
  groupTitles,
} from '../../../../../src/entry/public/reference/description.ts';
import { guideNames } from '../../../../../src/entry/public/reference/guide-names.ts';
import { IconSearch } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { me } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { Addresses } from '../overview/Addresses.tsx';
import { outline } from './description.ts';
import classes from './Fields.module.css';
import { Prose } from './Prose.tsx';

export function Reference() {
  const api = useQuery(outline);
  const { mode } = useMode();
  const base = useQuery(me).data?.addresses[mode];
  const [search, setSearch] = useSearchParams();
  const words = search.get('q') ?? '';
  return (
    <Page
      title="API reference"
      about={
        <>
          Every endpoint and event, with examples from a running server. For tools:{' '}
          <Anchor
            href={base ? `${base}/openapi.json` : '/openapi.json'}
            target="_blank"
            rel="noreferrer"
            size="sm"
            underline="always"
          >
            openapi.json
          </Anchor>
        </>
      }
    >
      <TextInput
        type="search"
        aria-label="Search the reference"
        placeholder="Search: buy, usage, insufficient_balance"
        leftSection={<IconSearch size={16} />}
        value={words}
        onChange={({ currentTarget: { value } }) => setSearch(value === '' ? {} : { q: value }, { replace: true })}
      />
      {words === '' && <Addresses mode={mode} />}
      {words === '' && <Guides />}
      <Loaded query={api} lines={20}>
        {(found) => <Groups api={found} words={words.trim().toLowerCase()} />}
      </Loaded>
    </Page>
  );
}

function Guides() {
  return (
    <Section title="Guides" flush>
      {Object.entries(guideNames).map(([name, [title, about]]) => (
        <Link key={name} to={paths.guide(name)} className={classes.row}>
          <Text fw={500} size="sm" component="span">
            {title}
          </Text>
          <span className={classes.summary}>{about}</span>
        </Link>
      ))}
    </Section>
  );
}

function Groups({ api, words }: { api: Description; words: string }) {
  const found = entriesOf(api).filter((entry) => words === '' || textOf(entry).includes(words));
  const groups = [...new Set(found.map(({ group }) => group))].sort((a, b) => place(a) - place(b));
  if (found.length === 0) return <Text c="dimmed">Nothing in the reference matches “{words}”.</Text>;
  return (
    <Stack gap="lg">
      {words === '' && (
        <Section title="In short">
          <Prose text={api.info.description} />
        </Section>
      )}
      {groups.map((group) => (
        <Section
          key={group}
          title={groupTitles[group] ?? group}
          about={api.tags.find(({ name }) => name === group)?.description}
          flush
        >
          {found
            .filter((entry) => entry.group === group)
            .map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
        </Section>
      ))}
    </Stack>
  );
}

function Row({ entry }: { entry: Entry }) {
  return (
    <Link to={paths.endpoint(entry.id)} className={classes.row}>
      {!entry.isEvent && <span className={classes.verb}>{entry.verb}</span>}
      <span className="mono">{entry.path.replace(/^\//, '')}</span>
      {entry.isExtension && (
        <Badge size="sm" variant="default">
          beyond v3
        </Badge>
      )}
      <span className={classes.summary}>{entry.operation.summary.replaceAll('`', '')}</span>
    </Link>
  );
}

const place = (group: string): number => Object.keys(groupTitles).indexOf(group);

/** What a search covers: names, summaries, fields and error codes. */
function textOf({ path, operation }: Entry): string {
  const fields = operation.parameters.map(({ name }) => name ?? '');
  const answers = Object.values(operation.responses).map(({ description: said }) => said ?? '');
  return [path, path.replace('/', ' '), operation.summary, ...fields, ...answers].join(' ').toLowerCase();
}
