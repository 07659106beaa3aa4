import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { shadesOf, site } from './site.ts';

/** Slate instead of Mantine's neutral grey, so dark mode keeps a hint of blue. */
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

const SANS = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const MONO = 'ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

/** A dialog's header is a `<header>`, which screen readers would announce as a second page banner. */
const dialog = { closeButtonProps: { 'aria-label': 'Close' }, attributes: { header: { role: 'presentation' } } };

/** What opens takes so long, and no time where the reader asked for less motion. */
const opens = { transitionProps: { duration: 150 } };

export const theme = createTheme({
  respectReducedMotion: true,
  colors: { dark, brand: shadesOf(site.color) as unknown as MantineColorsTuple },
  primaryColor: 'brand',
  primaryShade: 7,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: { xxl: '1.75rem', xl: '1.375rem', sm: '0.875rem', xs: '0.8125rem' },
  headings: { fontFamily: SANS, fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1rem' } } },
  // Named as strings: importing the components would load the dialogs' code with the first page.
  components: {
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 600, miw: 'max-content' } },
    Modal: { defaultProps: { ...dialog, ...opens }, styles: { title: { fontWeight: 600, overflowWrap: 'anywhere' } } },
    Drawer: { defaultProps: { ...dialog, ...opens }, styles: { title: { fontWeight: 600 } } },
  },
});
