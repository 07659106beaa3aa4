import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Refusal } from '../../parts/server/client.ts';
import { PasskeyButton } from '../passkeys/PasskeyButton.tsx';
import type { PasskeyAnswer, PasskeyRequest } from '../passkeys/passkeys.ts';

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

interface FactorFieldsProps {
  request: () => Promise<PasskeyRequest>;
  /** Sends what is typed into the form with a passkey in place of a code. */
  onPasskey: (typed: FormData, passkey: PasskeyAnswer) => void;
}

/** The second factor: a code, or a passkey in its place. */
export function FactorFields({ request, onPasskey }: FactorFieldsProps) {
  return (
    <>
      <CodeField />
      <PasskeyButton
        label="Use a passkey instead"
        request={request}
        onAnswer={(passkey, typed) => onPasskey(typed, passkey)}
      />
    </>
  );
}

/** The second factor as it is sent. */
export function givenFactor(typed: FormData, passkey: PasskeyAnswer | undefined) {
  const code = typed.get('code');
  return passkey ? { passkey } : code === null ? {} : { code: String(code) };
}

/** Whether the server asked for a code. It stays true while further attempts are made. */
export function useAsksForCode(error: unknown): boolean {
  const [asks, setAsks] = useState(false);
  if (!asks && isAskingForCode(error)) setAsks(true);
  return asks;
}

export const isAskingForCode = (error: unknown): boolean => error instanceof Refusal && error.code === 'code_required';
