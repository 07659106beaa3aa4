import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { IconFingerprint } from '../../parts/icons.ts';
import { Problem } from '../../parts/Problem.tsx';
import { askForPasskey, canUsePasskeys, type PasskeyAnswer, type PasskeyRequest } from './passkeys.ts';

interface PasskeyButtonProps {
  label: string;
  request: () => Promise<PasskeyRequest>;
  /** Nothing else is given with it. */
  isAlone?: boolean;
  /** Gets the answer, and what is typed into the form around the button. */
  onAnswer: (passkey: PasskeyAnswer, typed: FormData) => unknown;
  loading?: boolean;
}

/** Asks the browser for a passkey. Nothing where the browser has none. */
export function PasskeyButton({ label, request, isAlone = false, onAnswer, loading = false }: PasskeyButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<unknown>();
  if (!canUsePasskeys()) return null;
  const ask = async (typed: FormData) => {
    setAsking(true);
    setError(undefined);
    try {
      const answer = await askForPasskey(await request(), isAlone);
      onAnswer(answer, typed);
    } catch (problem) {
      setError(problem);
    } finally {
      setAsking(false);
    }
  };
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} />}
        loading={isAsking || loading}
        onClick={({ currentTarget: { form } }) => void ask(form ? new FormData(form) : new FormData())}
      >
        {label}
      </Button>
      <Problem error={error} />
    </Stack>
  );
}
