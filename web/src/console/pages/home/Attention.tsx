import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconChevronRight, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Empty } from '../../../parts/Empty.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { NextTry } from '../../../subjects/webhooks/NextTry.tsx';
import { type HomeMatter, type HomePart, home } from '../../api/home.ts';
import classes from './Attention.module.css';
import { partName, told } from './matters.ts';

/** What needs a person now, the urgent first. */
export function Attention() {
  const read = useQuery(home);
  return (
    <Section title="Needs you now" about="Live orders and money. Read again every 30 seconds." flush>
      <Loaded query={read} lines={4}>
        {({ parts, read_at }) => (
          <>
            {read.isError && <Stale at={read_at} />}
            <Unreadable parts={parts} />
            <Matters
              matters={parts.flatMap(({ matters }) => matters)}
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
    It could not be read again since <When at={at} exact />.
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

function Matters({ matters, isAll }: { matters: readonly HomeMatter[]; isAll: boolean }) {
  if (matters.length === 0)
    return isAll ? (
      <Empty icon={IconCircleCheck} title="Nothing needs you">
        No order, refund, payment, delivery, supplier, price list, job or proof is waiting for somebody.
      </Empty>
    ) : null;
  const rows = matters.map((matter) => ({ matter, ...told(matter) }));
  rows.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
  return (
    <ul className={classes.list}>
      {rows.map(({ matter, title, detail, to, isUrgent }) => (
        <li key={`${matter.kind} ${matter.of}`}>
          <Link to={to} className={classes.matter}>
            {isUrgent ? (
              <IconAlertTriangle size={20} className={classes.icon} color="var(--danger)" aria-label="Urgent" />
            ) : (
              <IconInfoCircle size={20} className={classes.icon} aria-hidden="true" />
            )}
            <span className={classes.words}>
              <Text span fw={600} size="sm" display="block">
                {title}
              </Text>
              <Text span size="sm" c="dimmed" display="block">
                {detail}
                {matter.since !== null && (
                  <>
                    {detail && ' '}Since <When at={matter.since} exact />.
                  </>
                )}
                {matter.next_try_at !== null && (
                  <>
                    {' '}
                    <NextTry at={matter.next_try_at} held={matter.count} />
                  </>
                )}
              </Text>
            </span>
            <IconChevronRight size={18} className={classes.icon} aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
