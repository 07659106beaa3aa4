import { Anchor } from '@mantine/core';
import { Link, useLocation } from 'react-router';

/** Opens what a row of a list is about, and remembers the list as it is for the way back. */
export function RowLink({ to, children }: { to: string; children: string }) {
  const { pathname, search } = useLocation();
  return (
    <Anchor
      component={Link}
      to={to}
      state={{ from: pathname + search }}
      className="mono"
      style={{ whiteSpace: 'nowrap' }}
    >
      {children}
    </Anchor>
  );
}
