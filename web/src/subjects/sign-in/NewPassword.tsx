import { PasswordInput } from '@mantine/core';

/** The `password` field of a form that sets one. The limits repeat the server's, which decides. */
export function NewPassword() {
  return (
    <PasswordInput
      name="password"
      label="New password"
      description="Use at least 10 characters."
      autoComplete="new-password"
      minLength={10}
      maxLength={200}
      required
    />
  );
}
