import { Text } from '@mantine/core';
import { NavLink } from 'react-router';
import type { Icon } from './icons.ts';
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

/** The current page is marked with `aria-current`, which the styles use. */
export function NavigationList({ title, items, onGo }: NavigationListProps) {
  return (
    <div>
      <Text size="xs" c="dimmed" fw={500} px="xs" mb={4}>
        {title}
      </Text>
      <ul className={classes.items} aria-label={`Pages: ${title}`}>
        {items.map(({ to, label, icon: Picture, end = false }) => (
          <li key={to}>
            <NavLink to={to} end={end} className={() => classes.item} onClick={onGo}>
              <Picture size={18} />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
