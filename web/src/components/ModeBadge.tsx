import { Badge } from '@mantine/core';
import type { Mode } from '../paths.ts';
import { modeColor, modeName } from '../theme.ts';

export function ModeBadge({ mode }: { mode: Mode }) {
  return (
    <Badge color={modeColor[mode]} variant="light" tt="none">
      {modeName[mode]}
    </Badge>
  );
}
