import type { ReactNode } from 'react';
import classes from './Table.module.css';

interface TableProps {
  label: string;
  /** Few columns beside other content, rather than across a card. */
  isNarrow?: boolean;
  className?: string | undefined;
  role?: 'table';
  children: ReactNode;
}

/**
 * The look of every table; rows and cells inside are plain elements. Mantine's table is not used, because it pulls its scroll area and
 * all of Floating UI into the first load.
 *
 * In cells, `data-kind="figure"` aligns right, `data-total` is bold, and `data-wide` is hidden on narrow screens.
 */
export function Table({ label, isNarrow = false, className = '', role, children }: TableProps) {
  return (
    <table
      className={`${classes.table} ${className}`}
      data-narrow={isNarrow || undefined}
      role={role}
      aria-label={label}
    >
      {children}
    </table>
  );
}
