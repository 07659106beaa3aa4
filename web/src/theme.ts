import { createTheme, type MantineColorsTuple } from '@mantine/core';
import type { Mode } from './paths.ts';

/** Slate instead of Mantine's neutral grey: text and borders keep a hint of blue in the dark. */
const dark: MantineColorsTuple = [
  '#e3e7ee',
  '#bcc4d0',
  '#929dad',
  '#6b7686',
  '#3c4553',
  '#2b333f',
  '#1d232c',
  '#161b22',
  '#11151b',
  '#0c0f14',
];

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONO = 'ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

export const theme = createTheme({
  colors: { dark },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: { sm: '0.875rem', xs: '0.8125rem' },
  headings: { fontFamily: SANS, fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1rem' } } },
  // By name, not by import: that would fetch the dialogs' code with the first page.
  components: {
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 600, miw: 'max-content' } },
    Modal: { styles: { title: { fontWeight: 600, overflowWrap: 'anywhere' } } },
    Drawer: { styles: { title: { fontWeight: 600 } } },
  },
});

/** Which world one is in is said with a colour wherever it is said at all. */
export const modeColor: Record<Mode, string> = { live: 'teal.9', sandbox: 'orange.9' };
export const modeName: Record<Mode, string> = { live: 'Live', sandbox: 'Sandbox' };
