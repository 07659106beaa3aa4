import { Badge } from '@mantine/core';
import type { Mode } from './mode.ts';
import { modeColor, modeName } from './mode.ts';

export function ModeBadge({ mode }: { mode: Mode }) {
  return (
    <Badge variant="filled" color={modeColor[mode]}>
      {modeName[mode]}
    </Badge>
  );
}
