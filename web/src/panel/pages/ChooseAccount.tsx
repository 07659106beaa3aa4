import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Loaded } from '../../parts/Loaded.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { safeReturn } from '../../parts/safeReturn.ts';
import { Door } from '../../subjects/sign-in/Door.tsx';
import { me } from '../api/session.ts';
import { paths } from '../paths.ts';
import { useOpenAccount } from '../useOpenAccount.ts';

/** Shown after sign-in to people who belong to several partners. */
export function ChooseAccount() {
  const [search] = useSearchParams();
  const who = useQuery(me);
  const open = useOpenAccount(safeReturn(search.get('next'), paths.home));
  return (
    <Door title="Choose an account" about={who.data && `${who.data.member.email} belongs to several accounts.`}>
      <Loaded query={who} lines={3}>
        {({ accounts }) => (
          <Stack gap="xs">
            {accounts.map(({ id, partner }) => (
              <Button
                key={id}
                variant="default"
                justify="flex-start"
                loading={open.isPending && open.variables === id}
                onClick={() => open.mutate(id)}
              >
                {partner.name}
              </Button>
            ))}
            <Problem error={open.error} />
          </Stack>
        )}
      </Loaded>
    </Door>
  );
}
