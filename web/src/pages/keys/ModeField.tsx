import { Text } from '@mantine/core';
import { Choice } from '../../components/Choice.tsx';
import { type Mode, modes } from '../../paths.ts';
import { modeName } from '../../theme.ts';

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
