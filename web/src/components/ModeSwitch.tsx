import { SegmentedControl } from '@mantine/core';
import { modes } from '../paths.ts';
import { modeColor, modeName } from '../theme.ts';
import { useMode } from '../useMode.ts';

/** Shows which world the page is in and switches to the other one. */
export function ModeSwitch() {
  const { mode, switchTo } = useMode();
  return (
    <SegmentedControl
      aria-label="World"
      size="xs"
      color={modeColor[mode]}
      data={modes.map((value) => ({ value, label: modeName[value] }))}
      value={mode}
      onChange={switchTo}
    />
  );
}
