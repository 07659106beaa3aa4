import { Choice } from '../parts/Choice.tsx';
import { modeName, modes } from '../parts/mode.ts';
import { useMode } from './useMode.ts';

/** Shows which world the page is in and switches to the other one. */
export function ModeSwitch() {
  const { mode, switchTo } = useMode();
  return (
    <Choice
      label="World"
      isSmall
      color={`var(--world-${mode})`}
      options={modes.map((value) => ({ value, label: modeName[value] }))}
      value={mode}
      onChange={switchTo}
    />
  );
}
