import { Anchor } from '@mantine/core';
import { Link, useLocation } from 'react-router';

/** Opens what a row of a list is about, and remembers the list as it is for the way back. `isNamed`: it says itself what it is. */
export function RowLink({ to, isNamed, children }: { to: string; isNamed?: boolean; children: string }) {
  const { pathname, search } = useLocation();
  return (
    <Anchor
      component={Link}
      to={to}
      state={{ from: pathname + search }}
      className="mono"
      data-named={isNamed || undefined}
      style={{ whiteSpace: 'nowrap' }}
    >
      {children}
    </Anchor>
  );
}
