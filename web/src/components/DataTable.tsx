import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DataTable.module.css';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures are right-aligned; the heading of a column of buttons is for screen readers only. */
  readonly kind?: 'figure' | 'actions';
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
}

/** A table; on narrow screens each row becomes a list of labelled values, so nothing scrolls sideways. */
export function DataTable<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <div className={classes.box}>
      {/* The narrow styles change `display`, which removes the built-in table roles; these put them back. */}
      <Table className={classes.table} role="table" aria-label={label} verticalSpacing="sm" horizontalSpacing="lg">
        <Table.Thead role="rowgroup" className={classes.head}>
          <Table.Tr role="row">
            {columns.map(({ label: name, kind }) => (
              <Table.Th key={name} role="columnheader" data-kind={kind}>
                {kind === 'actions' ? <span className={classes.unseen}>{name}</span> : name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)} role="row">
              {columns.map(({ label: name, cell, kind }) => (
                <Table.Td key={name} role="cell" data-label={kind === 'actions' ? undefined : name} data-kind={kind}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
