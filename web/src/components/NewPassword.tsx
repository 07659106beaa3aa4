import { PasswordInput } from '@mantine/core';

/** The field `password` of a form that sets one. The server decides; these are its limits. */
export function NewPassword() {
  return (
    <PasswordInput
      name="password"
      label="New password"
      description="At least 10 characters."
      autoComplete="new-password"
      minLength={10}
      maxLength={200}
      required
    />
  );
}
