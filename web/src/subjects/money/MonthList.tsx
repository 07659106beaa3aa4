import { Anchor, Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Empty } from '../../parts/Empty.tsx';
import { IconFileText } from '../../parts/icons.ts';
import classes from './MonthList.module.css';
import { monthName } from './months.ts';

interface MonthListProps {
  /** Latest first; the first one is not over yet. */
  months: readonly string[];
  pathOf: (month: string) => string;
  /** Shown in place of an empty list. */
  none: ReactNode;
}

/** The months that have a statement. */
export function MonthList({ months, pathOf, none }: MonthListProps) {
  if (months.length === 0)
    return (
      <Empty icon={IconFileText} title="No statements yet">
        {none}
      </Empty>
    );
  return (
    <ul className={classes.months}>
      {months.map((month, i) => (
        <li key={month}>
          <Group justify="space-between" gap="xs">
            <Anchor component={Link} to={pathOf(month)} className={classes.month}>
              {monthName(month)}
            </Anchor>
            {i === 0 && <Badge color="gray">So far</Badge>}
          </Group>
        </li>
      ))}
    </ul>
  );
}
