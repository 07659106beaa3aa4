import { Anchor, Badge, Group } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { statementMonths } from '../../api/statements.ts';
import { Empty } from '../../components/Empty.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Section } from '../../components/Section.tsx';
import { type Mode, paths } from '../../paths.ts';
import classes from './MonthsTab.module.css';
import { monthName } from './months.ts';

/** A statement for each month, to read or to print. */
export function MonthsTab({ mode }: { mode: Mode }) {
  const read = useQuery(statementMonths(mode));
  return (
    <Section
      title="Monthly statements"
      about="Opening balance, everything that moved, closing balance. Ready to print."
      flush
    >
      <Loaded query={read} lines={4}>
        {({ months }) =>
          months.length === 0 ? (
            <Empty icon={IconFileText} title="No statements yet">
              {mode === 'sandbox'
                ? 'The sandbox has a balance but keeps no history.'
                : 'There is one for each month, from your first movement on.'}
            </Empty>
          ) : (
            <ul className={classes.months}>
              {months.map((month, i) => (
                <li key={month}>
                  <Group justify="space-between" gap="xs">
                    <Anchor component={Link} to={paths.statementOf(mode, month)} className={classes.month}>
                      {monthName(month)}
                    </Anchor>
                    {i === 0 && <Badge color="gray">So far</Badge>}
                  </Group>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
