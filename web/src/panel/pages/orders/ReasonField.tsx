import { Textarea } from '@mantine/core';
import { MAX_REASON } from '../../api/orders.ts';

/** Why a refund or a replacement is requested. */
export function ReasonField({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  const length = [...value].length;
  return (
    <Textarea
      label="Reason (optional)"
      description={`The operator sees it. ${length} of ${MAX_REASON} characters.`}
      descriptionProps={length > MAX_REASON ? { c: 'var(--danger)', role: 'alert' } : {}}
      aria-invalid={length > MAX_REASON}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={2}
    />
  );
}
