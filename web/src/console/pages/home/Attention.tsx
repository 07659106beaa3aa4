import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Empty } from '../../../parts/Empty.tsx';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { post } from '../../../parts/server/calls.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { When } from '../../../parts/When.tsx';
import { NextTry } from '../../../subjects/webhooks/NextTry.tsx';
import { type HomeAlert, type HomePart, home } from '../../api/home.ts';
import classes from './Attention.module.css';
import { type AlertWords, partName, wordsOf } from './alerts.ts';

/** What needs a person now, the urgent first. */
export function Attention() {
  const read = useQuery(home);
  return (
    <Section title="Needs you now" about="Live orders and money. Updated every 30 seconds." flush>
      <Loaded query={read} lines={4}>
        {({ parts, read_at }) => (
          <>
            {read.isError && <Stale at={read_at} />}
            <Unreadable parts={parts} />
            <AlertList
              alerts={parts.flatMap(({ alerts }) => alerts)}
              isAll={parts.every((one) => !one.is_unreadable)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const Stale = ({ at }: { at: string }) => (
  <Alert color="yellow" role="status" m="lg" mt={0} title="This may have changed">
    It could not be updated since <When at={at} exact />.
  </Alert>
);

function Unreadable({ parts }: { parts: readonly HomePart[] }) {
  const missing = parts.filter(({ is_unreadable }) => is_unreadable);
  if (missing.length === 0) return null;
  return (
    <Alert
      color="red"
      role="alert"
      m="lg"
      mt={0}
      icon={<IconAlertTriangle size={18} />}
      title="Not everything could be read"
    >
      Nothing is known right now about {missing.map(({ part }) => partName[part]).join(', ')}. It is tried again in half
      a minute.
    </Alert>
  );
}

function AlertList({ alerts, isAll }: { alerts: readonly HomeAlert[]; isAll: boolean }) {
  const [areAllShown, setAllShown] = useState(false);
  const dismissed = alerts.filter(({ is_dismissed }) => is_dismissed).length;
  const rows = alerts
    .filter(({ is_dismissed }) => areAllShown || !is_dismissed)
    .map((alert) => ({ alert, ...wordsOf(alert) }));
  rows.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
  return (
    <>
      {alerts.length === 0 && isAll && (
        <Empty icon={IconCircleCheck} title="Nothing needs you">
          No order, refund, payment, delivery, supplier, price list, job or proof needs you.
        </Empty>
      )}
      <ul className={classes.list}>
        {rows.map(({ alert, ...words }) => (
          <Row key={`${alert.kind} ${alert.of}`} alert={alert} words={words} />
        ))}
      </ul>
      {dismissed > 0 && (
        <Group gap="xs" className={classes.dismissed}>
          <Text size="sm" c="dimmed">
            You dismissed {dismissed}; {dismissed === 1 ? 'it is' : 'each is'} shown again when it changes.
          </Text>
          <Button variant="subtle" size="compact-sm" className="target" onClick={() => setAllShown(!areAllShown)}>
            {areAllShown ? 'Hide' : 'Show'}
          </Button>
        </Group>
      )}
    </>
  );
}

function Row({ alert, words: { title, detail, to, isUrgent } }: { alert: HomeAlert; words: AlertWords }) {
  const { kind, of, state, is_new, is_dismissed, since, next_try_at } = alert;
  const dismiss = useChange(
    (wanted: { state: string | null }) => post('/operator/api/home/dismiss', { kind, of, ...wanted }),
    home.queryKey,
  );
  return (
    <li className={classes.row}>
      <Link to={to} className={classes.alert}>
        {isUrgent ? (
          <IconAlertTriangle size={18} className={classes.icon} color="var(--danger)" aria-label="Urgent" />
        ) : (
          <IconInfoCircle size={18} className={classes.icon} aria-hidden="true" />
        )}
        <span className={classes.words}>
          <Text span fw={600} size="sm">
            {title}
          </Text>{' '}
          {is_new && (
            <Badge size="sm" color="blue">
              New
            </Badge>
          )}
          <Text span size="xs" c="dimmed" display="block">
            {detail}
            {since !== null && (
              <>
                {detail && ' '}Since <When at={since} exact />.
              </>
            )}
            {next_try_at !== null && (
              <>
                {' '}
                <NextTry at={next_try_at} held={alert.count} />
              </>
            )}
          </Text>
        </span>
      </Link>
      <Button
        variant="subtle"
        size="compact-sm"
        className={`target ${classes.dismiss}`}
        aria-label={`${is_dismissed ? 'Show again' : 'Dismiss'}: ${title}`}
        loading={dismiss.isPending}
        onClick={() => dismiss.mutate({ state: is_dismissed ? null : state })}
      >
        {is_dismissed ? 'Show again' : 'Dismiss'}
      </Button>
    </li>
  );
}
