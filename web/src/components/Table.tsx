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
 * The look of every table; rows and cells inside are plain elements. Not Mantine's: its scrolling frame alone would add a tenth to what
 * the first page loads.
 *
 * Cells say what they hold: `data-kind="figure"` is right-aligned, `data-total` is bold, `data-wide` is left out where there is no room.
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
