import { useSearchParams } from 'react-router';
import { Choice } from '../parts/Choice.tsx';
import { useWorld } from './useWorld.ts';

/** Switches between live and the sandbox. Filters of one world mean nothing in the other, so they are cleared. */
export function WorldSwitch() {
  const [, setSearch] = useSearchParams();
  return (
    <Choice
      label="World"
      value={useWorld()}
      onChange={(mode) => setSearch(mode === 'sandbox' ? { mode } : {}, { replace: true })}
      options={[
        { value: 'live', label: 'Live' },
        { value: 'sandbox', label: 'Sandbox' },
      ]}
    />
  );
}
