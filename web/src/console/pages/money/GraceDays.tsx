import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import { useAction } from '../../api/actions.ts';

/** How many days after its expiry an eSIM's share is settled. */
export function GraceDays({ now }: { now: number }) {
  const [days, setDays] = useState<number | string>(now);
  const set = useAction('revenue-share set', ['money']);
  const isReady = typeof days === 'number' && Number.isInteger(days) && days >= 0 && days <= 365;
  return (
    <ConfirmButton
      label="Change grace days"
      title="Change grace days"
      c="inherit"
      isReady={isReady}
      change={{ ...set, mutateAsync: () => set.mutateAsync({ 'grace-days': String(days) }) }}
      fields={
        <NumberInput
          label="Days after expiry"
          value={days}
          onChange={setDays}
          min={0}
          max={365}
          allowDecimal={false}
          data-autofocus
        />
      }
    >
      Shares are settled {count(now, 'day')} after an eSIM has expired. Another number applies to every share that is
      not settled yet, of all partners.
    </ConfirmButton>
  );
}
