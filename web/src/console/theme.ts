import { mergeThemeOverrides } from '@mantine/core';
import { theme } from '../parts/theme.ts';

/** The console's own colour, so that it is never mistaken for a partner's panel; `--operator` in styles.css is the same violet. */
export const consoleTheme = mergeThemeOverrides(theme, { primaryColor: 'violet', primaryShade: 8 });
