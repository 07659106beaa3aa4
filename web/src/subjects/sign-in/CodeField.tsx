import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Refusal } from '../../parts/server/client.ts';

/** A code of the second factor. */
export function CodeField({ isFirst = false }: { isFirst?: boolean }) {
  return (
    <TextInput
      name="code"
      label="Code"
      description={
        isFirst ? 'The six digits your app shows now' : 'From your authenticator app, or one of your recovery codes'
      }
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={40}
      required
      autoFocus
    />
  );
}

/** Whether the server asked for a code. It stays true while further attempts are made. */
export function useAsksForCode(error: unknown): boolean {
  const [asks, setAsks] = useState(false);
  if (!asks && isAskingForCode(error)) setAsks(true);
  return asks;
}

export const isAskingForCode = (error: unknown): boolean => error instanceof Refusal && error.code === 'code_required';
