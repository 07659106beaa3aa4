import { Anchor, Text, type TextProps } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';

interface AtTodaysRetailProps extends TextProps {
  /** "Margins are". */
  what: string;
}

/** Retail prices are not stored with an order, so its margin changes with them. */
export const AtTodaysRetail = ({ what, ...text }: AtTodaysRetailProps) => (
  <Text size="sm" c="dimmed" {...text}>
    {what} at your{' '}
    <Anchor component={Link} to={paths.retail} size="sm">
      retail prices
    </Anchor>{' '}
    of today.
  </Text>
);
