import { ChosenBar } from '../../../parts/ChosenBar.tsx';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import type { ManyDone } from '../../../parts/ManyOutcome.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import type { Chosen } from '../../../parts/useChosen.ts';
import type { EsimRow } from '../../api/esims.ts';
import { resumeEsims, suspendEsims } from '../../api/several.ts';
import { paths } from '../../paths.ts';

interface SwitchManyProps {
  mode: Mode;
  /** Those whose supplier can. */
  rows: readonly EsimRow[];
  chosen: Chosen<EsimRow>;
  onDone: (outcome: ManyDone) => void;
}

/** Suspends the chosen eSIMs that are in service, and resumes those that are suspended. */
export function SwitchMany({ mode, rows, chosen, onDone }: SwitchManyProps) {
  const suspend = useChange((iccids: readonly string[]) => suspendEsims(mode, iccids), [mode]);
  const resume = useChange((iccids: readonly string[]) => resumeEsims(mode, iccids), [mode]);
  const suspended = chosen.rows.filter(({ state }) => state === 'suspended');
  const running = chosen.rows.filter((row) => !suspended.includes(row));
  const send = async ({ mutateAsync }: typeof suspend, of: readonly EsimRow[], made: string) => {
    const { done, refused } = await mutateAsync(of.map(({ iccid }) => iccid));
    const named = refused.map(({ id, why }) => ({ name: `eSIM ${id}`, to: paths.esim(mode, id), why }));
    onDone({ made: `${count(done.length, 'eSIM')} ${made}.`, refused: named });
    chosen.set(chosen.rows.filter((row) => !of.includes(row)));
  };
  return (
    <ChosenBar rows={rows} chosen={chosen} sum={`${count(chosen.rows.length, 'eSIM')} chosen`}>
      {running.length > 0 && (
        <ConfirmButton
          size="xs"
          label={`Suspend ${count(running.length, 'eSIM')}`}
          title={`Suspend ${count(running.length, 'eSIM')}?`}
          change={{ ...suspend, mutateAsync: () => send(suspend, running, 'suspended') }}
        >
          Their service is switched off at the supplier: the travellers have no data until you resume it. Data and days
          run on, and nothing is refunded.
        </ConfirmButton>
      )}
      {suspended.length > 0 && (
        <ConfirmButton
          size="xs"
          tone="give"
          label={`Resume ${count(suspended.length, 'eSIM')}`}
          title={`Resume ${count(suspended.length, 'eSIM')}?`}
          change={{ ...resume, mutateAsync: () => send(resume, suspended, 'in service again') }}
        >
          Their service is switched on again at the supplier, and the travellers can use what is left of their plans.
          Data and days ran on meanwhile.
        </ConfirmButton>
      )}
    </ChosenBar>
  );
}
