import { Badge } from '@mantine/core';
import type { Mode } from '../panel/paths.ts';
import { modeColor, modeName } from './theme.ts';

export function ModeBadge({ mode }: { mode: Mode }) {
  return (
    <Badge variant="filled" color={modeColor[mode]}>
      {modeName[mode]}
    </Badge>
  );
}
