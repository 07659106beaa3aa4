import { Page } from '../../../components/Page.tsx';
import { Password } from '../../../pages/settings/Password.tsx';
import { Sessions } from '../../../pages/settings/Sessions.tsx';
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
