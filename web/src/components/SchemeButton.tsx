import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Icon } from './Icon.tsx';

export function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const label = `Use the ${other} colours`;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(other)}
    >
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </ActionIcon>
  );
}
