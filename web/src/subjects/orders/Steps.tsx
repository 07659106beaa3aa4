import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { When } from '../../parts/When.tsx';
import classes from './Steps.module.css';

/** What happened to an order, oldest first. */
export const Steps = ({ children }: { children: ReactNode }) => <ol className={classes.steps}>{children}</ol>;

interface StepProps {
  kind: string;
  at: string;
  /** Before the time, for what has not happened yet. */
  before?: string;
  children: ReactNode;
}

export const Step = ({ kind, at, before, children }: StepProps) => (
  <li className={classes.step} data-kind={kind}>
    <Text size="xs" c="dimmed" component="div">
      {before}
      <When at={at} exact />
    </Text>
    {children}
  </li>
);
