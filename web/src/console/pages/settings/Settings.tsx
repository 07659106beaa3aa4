import { Page } from '../../../parts/Page.tsx';
import { Password } from '../../../subjects/account/Password.tsx';
import { Sessions } from '../../../subjects/account/Sessions.tsx';
import { own } from '../../api/staff.ts';
import { OwnSecondFactor } from './OwnSecondFactor.tsx';

export function Settings() {
  return (
    <Page title="Settings" about="How you sign in to the console. The sign-in of partners’ members is separate.">
      <OwnSecondFactor />
      <Sessions own={own} />
      <Password own={own} />
    </Page>
  );
}
