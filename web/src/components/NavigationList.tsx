import { NavLink, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { NavLink as RouterLink } from 'react-router';
import classes from './NavigationList.module.css';

export interface NavigationItem {
  readonly to: string;
  readonly label: string;
  readonly icon: Icon;
  /** Highlighted on this exact page only, not on the pages below it. */
  readonly end?: boolean;
}

interface NavigationListProps {
  title: string;
  items: readonly NavigationItem[];
  onGo: () => void;
}

export function NavigationList({ title, items, onGo }: NavigationListProps) {
  return (
    <div>
      <Text size="xs" c="dimmed" fw={500} px="xs" mb={4}>
        {title}
      </Text>
      <ul className={classes.items} aria-label={`Pages: ${title}`}>
        {items.map(({ to, label, icon: Picture, end = false }) => (
          <li key={to}>
            <RouterLink to={to} end={end} className="row-target" onClick={onGo}>
              {({ isActive }) => (
                <NavLink
                  component="span"
                  active={isActive}
                  label={label}
                  leftSection={<Picture size={18} />}
                  py={6}
                  px="xs"
                  style={{ borderRadius: 'var(--mantine-radius-md)' }}
                />
              )}
            </RouterLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
