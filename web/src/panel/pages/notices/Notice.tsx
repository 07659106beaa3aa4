import { Anchor, CloseButton, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { IconAlertTriangle } from '../../../parts/icons.ts';
import type { Mode } from '../../../parts/mode.ts';
import classes from './Notice.module.css';
import { useDismissed } from './useDismissed.ts';

interface NoticeProps {
  /** Which notice it is and what it is about: once dismissed, it stays hidden until that changes. */
  name: string;
  state: string;
  mode: Mode;
  /** Red: something is refused or not sent. Yellow: it soon may be. Blue: to know. */
  color: 'red' | 'yellow' | 'blue';
  title: string;
  /** Where it can be dealt with. */
  links: readonly { readonly to: string; readonly label: string; readonly isOutside?: true }[];
  children: ReactNode;
}

export function Notice({ name, state, mode, color, title, links, children }: NoticeProps) {
  const [isDismissed, dismiss] = useDismissed(mode, name, state);
  if (isDismissed) return null;
  return (
    <div className={classes.notice} data-color={color} role="status" aria-label={title}>
      <IconAlertTriangle size={18} className={classes.icon} />
      <Text size="sm" component="div" className={classes.text}>
        <strong>{title}.</strong> {children}{' '}
        <Group gap="md" component="span" className={classes.links}>
          {links.map(({ to, label, isOutside }) => {
            const look = { size: 'sm', c: 'inherit', td: 'underline', style: { overflowWrap: 'anywhere' } } as const;
            return isOutside ? (
              <Anchor key={to} href={to} target="_blank" rel="noreferrer" {...look}>
                {label}
              </Anchor>
            ) : (
              <Anchor key={to} component={Link} to={to} {...look}>
                {label}
              </Anchor>
            );
          })}
        </Group>
      </Text>
      <CloseButton size="sm" aria-label={`Dismiss: ${title}`} onClick={dismiss} />
    </div>
  );
}
