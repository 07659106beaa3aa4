import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Permission } from '../../../src/domains/partners/people/people.ts';
import { roleName } from '../subjects/people/roleName.ts';
import { me } from './api/session.ts';
import { useMay } from './useMay.ts';

interface AllowedProps {
  /** What the page shows or does. */
  to: Permission;
  /** As in "can’t see API keys". */
  cannot: string;
  children: ReactNode;
}

/** A page or a part of one that only some roles may see; others see a sentence that says so. */
export function Allowed({ to, cannot, children }: AllowedProps) {
  const may = useMay();
  const { data } = useQuery(me);
  if (!data || may(to)) return children;
  return (
    <Text c="dimmed">
      Your role, {roleName[data.member.role].toLowerCase()}, can’t {cannot}. An owner of this account can give you
      another role.
    </Text>
  );
}
