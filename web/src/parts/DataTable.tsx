// The narrow styles change `display`, which removes the built-in roles of tables, so the roles are set explicitly.
// biome-ignore-all lint/a11y/noRedundantRoles: see above.
// biome-ignore-all lint/a11y/useSemanticElements: see above.
import { ActionIcon } from '@mantine/core';
import { Fragment, type ReactNode, useId, useState } from 'react';
import classes from './DataTable.module.css';
import { IconChevronDown } from './icons.ts';
import { Table } from './Table.tsx';

/**
 * What a column becomes on narrow screens, where each row is a card: the first line (with the column's name, if the content contains
 * it), the state at its right, a line of its own below, the figure at the right of that, a small fact with or without its name, or nothing.
 */
type CardPart = 'title' | 'state' | 'line' | 'figure' | 'fact' | 'small' | 'none';

export interface Column<Row> {
  readonly label: string;
  /** Null: there is nothing to say. A table shows a dash, a card leaves the line out. */
  readonly cell: (row: Row) => ReactNode;
  /** Figures are right-aligned; the heading of a column of buttons is for screen readers only. */
  readonly kind?: 'figure' | 'actions';
  /** By default the first column is the title, a status the state, the amount (or the last figure) the figure, all else facts. */
  readonly card?: CardPart;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** What a row shows when it is opened, and what it is about. Rows are then one line of 44 px. */
  more?: { readonly about: (row: Row) => string; readonly content: (row: Row) => ReactNode };
}

/** A table; on narrow screens each row becomes a card, so nothing scrolls sideways. */
export function DataTable<Row>({ label, columns, rows, rowKey, more }: DataTableProps<Row>) {
  const parts = cardParts(columns);
  const [opened, setOpened] = useState<ReadonlySet<string | number>>(new Set());
  const id = useId();
  const toggle = (key: string | number) =>
    setOpened((before) =>
      before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
    );
  return (
    <div className={classes.box}>
      <Table label={label} className={classes.table} role="table">
        <thead role="rowgroup" className={classes.head}>
          <tr role="row">
            {columns.map(({ label: name, kind }) => (
              <th key={name} role="columnheader" data-kind={kind}>
                {kind === 'actions' ? <span className={classes.unseen}>{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => {
            const key = rowKey(row);
            const isOpen = opened.has(key);
            return (
              <Fragment key={key}>
                <tr role="row" data-line={more ? '' : undefined}>
                  {columns.map(({ label: name, cell, kind, card }, i) => (
                    <td
                      key={name}
                      role="cell"
                      data-label={name}
                      data-kind={kind}
                      data-card={parts[i]}
                      data-named={card === 'title' || undefined}
                    >
                      {i === 0 && more ? (
                        <span className={classes.opener}>
                          <ActionIcon
                            variant="subtle"
                            color="gray"
                            size={28}
                            aria-label={`Details of ${more.about(row)}`}
                            aria-expanded={isOpen}
                            {...(isOpen && { 'aria-controls': `${id}-${key}` })}
                            onClick={() => toggle(key)}
                          >
                            <IconChevronDown size={16} className={classes.chevron} />
                          </ActionIcon>
                          {said(cell(row))}
                        </span>
                      ) : (
                        said(cell(row))
                      )}
                    </td>
                  ))}
                </tr>
                {more && isOpen && (
                  <tr role="row" id={`${id}-${key}`} data-detail="">
                    <td role="cell" colSpan={columns.length}>
                      <div className={classes.opened}>{more.content(row)}</div>
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}

/** The amount of the row, rather than the balance after it. */
function figureOf<Row>(columns: readonly Column<Row>[]): number {
  const amount = columns.findIndex(({ kind, label }) => kind === 'figure' && /amount|price/i.test(label));
  return amount >= 0 ? amount : columns.findLastIndex(({ kind }) => kind === 'figure');
}

/** A dash alone says nothing on a card. */
const said = (cell: ReactNode): ReactNode => (cell === '–' ? null : cell);

function cardParts<Row>(columns: readonly Column<Row>[]): (CardPart | 'actions')[] {
  const given = columns.map(({ card }) => card);
  const figure = given.includes('figure') ? -1 : figureOf(columns);
  const state = given.includes('state') ? -1 : columns.findIndex(({ label }) => /^(status|state)$/i.test(label));
  const title = given.includes('title') ? -1 : 0;
  const parts = columns.map(({ kind, card }, i): CardPart | 'actions' => {
    if (kind === 'actions') return 'actions';
    if (card) return card;
    if (i === title) return 'title';
    if (i === state) return 'state';
    return i === figure ? 'figure' : 'fact';
  });
  // A figure is placed at the right of a line.
  const line = figure >= 0 && !given.includes('line') ? parts.indexOf('fact') : -1;
  return parts.map((part, i) => (i === line ? 'line' : part));
}
