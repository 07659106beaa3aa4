import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Done } from '../../../parts/Done.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { resumeEsim, suspendEsim } from '../../api/esims.ts';

interface SwitchServiceProps {
  mode: Mode;
  iccid: string;
  isSuspended: boolean;
}

/** The button that suspends an eSIM, or resumes it. */
export function SwitchService({ mode, iccid, isSuspended }: SwitchServiceProps) {
  const suspend = useChange(() => suspendEsim(mode, iccid), [mode]);
  const resume = useChange(() => resumeEsim(mode, iccid), [mode]);
  const ofDialog = (change: typeof suspend) => ({ ...change, mutateAsync: () => change.mutateAsync(undefined) });
  return (
    <>
      {isSuspended ? (
        <ConfirmButton size="xs" tone="give" label="Resume" title="Resume this eSIM?" change={ofDialog(resume)}>
          The service is switched on again at the supplier, and the traveller can use what is left of the plan. Its data
          and days ran on meanwhile.
        </ConfirmButton>
      ) : (
        <ConfirmButton size="xs" label="Suspend" title="Suspend this eSIM?" change={ofDialog(suspend)}>
          The service is switched off at the supplier: the traveller has no data until you resume the eSIM. Its data and
          days run on, and nothing is refunded. Use it for a phone that was lost or stolen.
        </ConfirmButton>
      )}
      {suspend.data && isSuspended && <Done>The eSIM is suspended. Its data and days run on.</Done>}
      {resume.data && !isSuspended && <Done>The eSIM is in service again.</Done>}
    </>
  );
}
