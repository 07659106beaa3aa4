import { Button, Checkbox, Group, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './ChosenBar.module.css';
import type { Column } from './DataTable.tsx';
import type { Chosen } from './useChosen.ts';

/** The column in which rows are chosen; `label` names the checkbox of a row. Undefined: this one cannot be. */
export const chooseColumn = <Row,>(
  chosen: Chosen<Row>,
  label: (row: Row) => string | undefined,
  card: Column<Row>['card'] = 'state',
): Column<Row> => ({
  label: 'Choose',
  card,
  cell: (row) => {
    const name = label(row);
    return (
      name !== undefined && (
        <Checkbox
          aria-label={name}
          checked={chosen.has(row)}
          onChange={() => chosen.toggle(row)}
          size="md"
          p={6}
          label={<VisuallyHidden>Choose</VisuallyHidden>}
          // In a card all buttons are raised above the card's link; the checkbox has to stay above them.
          styles={{ icon: { zIndex: 2 }, label: { paddingInlineStart: 20 } }}
        />
      )
    );
  },
});

interface ChosenBarProps<Row> {
  /** Those that can be chosen here. */
  rows: readonly Row[];
  chosen: Chosen<Row>;
  /** How many are chosen, and what they come to. */
  sum: string;
  /** What can be done with them. */
  children: ReactNode;
}

/** Below a list whose rows can be changed together: how many are chosen, and the buttons. */
export function ChosenBar<Row>({ rows, chosen, sum, children }: ChosenBarProps<Row>) {
  const isAll = rows.length > 0 && rows.every(chosen.has);
  return (
    <Group className={classes.bar} gap="sm" data-chosen={chosen.rows.length > 0 || undefined}>
      <Button variant="default" size="xs" onClick={() => chosen.set(isAll ? [] : rows)}>
        {isAll ? 'Choose none' : `Choose all ${rows.length} here`}
      </Button>
      {chosen.rows.length > 0 && (
        <>
          <Text size="sm" fw={500} role="status">
            {sum}
          </Text>
          {children}
        </>
      )}
    </Group>
  );
}
