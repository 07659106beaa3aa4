import { Text } from '@mantine/core';
import { type Mode, modes } from '../../panel/paths.ts';
import { Choice } from '../../parts/Choice.tsx';
import { modeName } from '../../parts/theme.ts';

interface ModeFieldProps {
  value: Mode;
  onChange: (mode: Mode) => void;
  /** What a key of each world does. */
  about: Readonly<Record<Mode, string>>;
}

/** The world a new key is for. */
export const ModeField = ({ value, onChange, about }: ModeFieldProps) => (
  <div>
    <Choice
      isFullWidth
      label="World"
      color={`var(--world-${value})`}
      options={modes.map((mode) => ({ value: mode, label: modeName[mode] }))}
      value={value}
      onChange={onChange}
    />
    <Text size="xs" c="dimmed" mt={6}>
      {about[value]}
    </Text>
  </div>
);
