import { Textarea } from '@mantine/core';

/** The partner reads it with the refund. */
export const MAX_NOTE = 500;

interface NoteFieldProps {
  label: string;
  description: string;
  value: string;
  onChange: (note: string) => void;
}

/** What the partner reads about a decision. */
export const NoteField = ({ onChange, ...field }: NoteFieldProps) => (
  <Textarea
    {...field}
    maxLength={MAX_NOTE}
    onChange={(event) => onChange(event.currentTarget.value)}
    autosize
    minRows={2}
  />
);
