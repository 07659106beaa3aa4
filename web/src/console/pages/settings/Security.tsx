import { Page } from '../../../parts/Page.tsx';
import { Password } from '../../../subjects/account/Password.tsx';
import { Sessions } from '../../../subjects/account/Sessions.tsx';
import { own } from '../../api/staff.ts';
import { OwnFactors } from './OwnFactors.tsx';

export function Security() {
  return (
    <Page title="Security" about="How you sign in to the console. The sign-in of partners’ members is separate.">
      <OwnFactors />
      <Sessions own={own} />
      <Password own={own} />
    </Page>
  );
}
