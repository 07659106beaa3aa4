import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '../../parts/icons.ts';
import type { Place } from './SearchDialog.tsx';

/** What lines that do something have in place of the page they are on. */
export const ACTION = 'Action';

/** Switches between light and dark. */
export function useSchemeAction(): Place {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  return {
    to: '#scheme',
    label: `Switch to ${other} mode`,
    icon: other === 'dark' ? IconMoon : IconSun,
    on: ACTION,
    run: () => setColorScheme(other),
  };
}
