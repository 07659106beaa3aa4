import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { News } from '../../../../../src/entry/console/home.ts';
import { count } from '../../../parts/count.ts';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { since } from '../../api/home.ts';
import { paths } from '../../paths.ts';
import { Difference, Sentence } from '../../Sentence.tsx';
import classes from './Attention.module.css';

const words: Readonly<Record<News['kind'], { one: string; after: string; to: string }>> = {
  failed_orders: { one: 'paid order', after: 'failed', to: `${paths.orders}?status=failed` },
  refund_requests: { one: 'refund request', after: 'came in', to: paths.refunds },
  disabled_webhooks: { one: 'webhook', after: 'disabled, and still so', to: paths.webhooks },
  imports: { one: 'price list', after: 'imported', to: `${paths.catalog}?tab=imports` },
  repriced_plans: { one: 'plan', after: 'with another price', to: `${paths.catalog}?tab=imports` },
  failed_imports: { one: 'import', after: 'failed', to: `${paths.catalog}?tab=imports` },
};

/** What happened while this operator was away. Empty at their first visit. */
export function SinceLastVisit() {
  const { data } = useQuery(since);
  if (!data || data.since === null) return null;
  const { news, changes, has_more } = data;
  const isQuiet = news.length === 0 && changes.length === 0;
  return (
    <Section
      title="Since you were last here"
      about={
        <>
          Live, since <When at={data.since} exact />.
        </>
      }
      flush
    >
      {isQuiet && (
        <Text size="sm" className={classes.news}>
          No order failed, no refund was asked for, no price list was imported, and no colleague changed anything.
        </Text>
      )}
      {news.length > 0 && (
        <ul className={`${classes.list} ${classes.news}`}>
          {news.map((one) => (
            <li key={one.kind}>
              <NewsLink of={one} />
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 && (
        <ul className={classes.list} aria-label="What colleagues changed">
          {changes.map(({ id, at, by, sentence, difference }) => (
            <li key={id} className={classes.change}>
              <Text size="sm" component="div" className={classes.words}>
                <Sentence by={by.name} parts={sentence} />
                <Difference of={difference.filter(({ before }) => before !== null).slice(0, 3)} />
              </Text>
              <Text size="xs" c="dimmed" span>
                <When at={at} exact />
              </Text>
            </li>
          ))}
        </ul>
      )}
      {has_more && (
        <Text size="sm" className={classes.dismissed}>
          <Anchor component={Link} to={`${paths.audit}?from=${data.since.slice(0, 16)}`} size="sm" className="target">
            All changes since then
          </Anchor>
        </Text>
      )}
    </Section>
  );
}

function NewsLink({ of: { kind, count: number, is_more } }: { of: News }) {
  const { one, after, to } = words[kind];
  return (
    <Anchor component={Link} to={to} size="sm" className="target">
      {is_more && 'More than '}
      {count(number, one)} {after}
    </Anchor>
  );
}
