import { Switch } from '@mantine/core';

interface RevokedSwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Whether a list of keys shows the revoked ones, too. */
export const RevokedSwitch = ({ checked, onChange }: RevokedSwitchProps) => (
  <Switch
    size="sm"
    label="Show revoked"
    checked={checked}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);
