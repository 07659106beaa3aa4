import { FileInput } from '@mantine/core';

interface FileFieldProps {
  description: string;
  accept: string;
  /** The server takes no more. */
  maxMb: number;
  value: File | null;
  onChange: (file: File | null) => void;
}

export const isTooLarge = (file: File | null, maxMb: number): boolean => (file?.size ?? 0) > maxMb * 1024 * 1024;

/** A file whose text is sent. */
export function FileField({ description, accept, maxMb, value, onChange }: FileFieldProps) {
  return (
    <FileInput
      label="File"
      description={`${description}; at most ${maxMb} MB. The command line takes larger ones.`}
      accept={accept}
      value={value}
      onChange={onChange}
      error={isTooLarge(value, maxMb) && `This file is larger than ${maxMb} MB.`}
      clearable
    />
  );
}
