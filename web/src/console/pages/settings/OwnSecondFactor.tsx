import { useQuery } from '@tanstack/react-query';
import { SecondFactor } from '../../../subjects/account/SecondFactor.tsx';
import { me } from '../../api/session.ts';
import { own } from '../../api/staff.ts';

export function OwnSecondFactor() {
  const needsIt = useQuery(me).data?.operator.needs_second_factor === true;
  return (
    <SecondFactor
      own={own}
      about={
        needsIt ? 'Your role needs it, so it cannot be turned off.' : 'You enter one at each sign-in to the console.'
      }
      rescuer="another admin, or somebody at the server’s command line,"
      isRequired={needsIt}
    />
  );
}
