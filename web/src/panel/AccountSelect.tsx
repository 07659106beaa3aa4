import { NativeSelect } from '@mantine/core';
import type { MeView } from '../../../src/entry/panel/account/me.ts';
import { paths } from './paths.ts';
import { useOpenAccount } from './useOpenAccount.ts';

/** For people who belong to several partners: shows the current one and switches to another. */
export function AccountSelect({ who: { accounts, member } }: { who: MeView }) {
  const open = useOpenAccount(paths.home);
  return (
    <NativeSelect
      aria-label="Account"
      size="xs"
      data={accounts.map(({ id, partner }) => ({ value: String(id), label: partner.name }))}
      value={String(open.isPending ? open.variables : member.id)}
      disabled={open.isPending}
      onChange={(event) => open.mutate(Number(event.currentTarget.value))}
    />
  );
}
