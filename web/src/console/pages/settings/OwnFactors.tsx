import { useQuery } from '@tanstack/react-query';
import { Passkeys } from '../../../subjects/account/Passkeys.tsx';
import { SecondFactor } from '../../../subjects/account/SecondFactor.tsx';
import { me } from '../../api/session.ts';
import { own } from '../../api/staff.ts';

const RESCUER = 'another admin, or somebody at the server’s command line,';

/** The operator's passkeys and codes of an app. Roles that need a second factor keep one of them. */
export function OwnFactors() {
  const needsIt = useQuery(me).data?.operator.needs_second_factor === true;
  const hasPasskeys = (useQuery(own.passkeys).data?.passkeys.length ?? 0) > 0;
  return (
    <>
      <Passkeys own={own} rescuer={RESCUER} />
      <SecondFactor own={own} rescuer={RESCUER} isRequired={needsIt && !hasPasskeys} />
    </>
  );
}
