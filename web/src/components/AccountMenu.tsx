import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { me } from '../api/session.ts';
import { paths } from '../paths.ts';
import { useOpenAccount } from '../useOpenAccount.ts';

/** The partner's name in the header; for people who belong to several, a way to switch between them. */
export function AccountMenu() {
  const { data } = useQuery(me);
  const open = useOpenAccount(paths.home);
  if (!data || data.accounts.length < 2)
    return (
      <Text size="sm" c="dimmed" truncate>
        {data?.partner.name}
      </Text>
    );
  return (
    <NativeSelect
      aria-label="Account"
      size="xs"
      data={data.accounts.map(({ id, partner }) => ({ value: String(id), label: partner.name }))}
      value={String(open.isPending ? open.variables : data.member.id)}
      disabled={open.isPending}
      onChange={(event) => open.mutate(Number(event.currentTarget.value))}
    />
  );
}
