import { Alert } from '@mantine/core';
import type { OperatorRole } from '../../../../../src/domains/partners/people/people.ts';
import { IconShieldLock } from '../../../parts/icons.ts';
import { Page } from '../../../parts/Page.tsx';
import { operatorRoles } from '../../operatorRoles.ts';
import { OwnFactors } from '../settings/OwnFactors.tsx';

/** Replaces every page until the operator has set up the second factor their role requires. */
export function SecondFactorFirst({ role }: { role: OperatorRole }) {
  return (
    <Page title="Set up two-step sign-in first">
      <Alert color="yellow" icon={<IconShieldLock size={18} />}>
        The role {operatorRoles.name[role]} can move money, and this console can be reached from other computers. A
        password alone is not enough to protect that, so you can open the other pages once you have added a passkey or
        set up an authenticator app. It takes a minute.
      </Alert>
      <OwnFactors />
    </Page>
  );
}
