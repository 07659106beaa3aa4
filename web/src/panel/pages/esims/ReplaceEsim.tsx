import { Alert, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { replaceEsim } from '../../api/esims.ts';
import { MAX_REASON } from '../../api/orders.ts';
import { timeline } from '../../api/requests.ts';
import { paths } from '../../paths.ts';
import { ReasonField } from '../orders/ReasonField.tsx';

/** The button that asks for a new eSIM in place of this one. */
export function ReplaceEsim({ mode, iccid }: { mode: Mode; iccid: string }) {
  const [reason, setReason] = useState('');
  const replace = useChange(() => replaceEsim(mode, iccid, reason), [mode]);
  return (
    <ConfirmButton
      size="xs"
      label="Replace"
      title="Replace this eSIM?"
      change={{ ...replace, mutateAsync: () => replace.mutateAsync(undefined) }}
      isReady={[...reason].length <= MAX_REASON}
      fields={<ReasonField value={reason} onChange={setReason} />}
    >
      You get a new eSIM of the same plan, free of charge. This one stops working, and the traveller has to install the
      new one; their link stays the same and shows it. If the operator has to decide first, this eSIM stays as it is
      until then.
    </ConfirmButton>
  );
}

/** How far the replacement is, if one was requested. */
export function Replacement({ mode, orderId }: { mode: Mode; orderId: string }) {
  const replacement = useQuery(timeline(mode, orderId)).data?.replacement;
  if (!replacement) return null;
  const { status, order_id, iccid } = replacement;
  const order = order_id !== null && (
    <Anchor component={Link} to={paths.order(mode, order_id)} size="sm" c="inherit" className="mono" underline="always">
      order {order_id}
    </Anchor>
  );
  switch (status) {
    case 'replaced':
      return (
        <Alert color="blue" p="sm" title="Replaced">
          The traveller has a new eSIM
          {iccid && (
            <>
              ,{' '}
              <Anchor
                component={Link}
                to={paths.esim(mode, iccid)}
                size="sm"
                c="inherit"
                className="mono"
                underline="always"
              >
                {iccid}
              </Anchor>
            </>
          )}
          , from {order}. This one no longer counts.
        </Alert>
      );
    case 'pending':
      return (
        <Alert color="yellow" p="sm" title="Being replaced">
          A new eSIM is on its way with {order}. Don’t ask again.
        </Alert>
      );
    case 'requested':
      return (
        <Alert color="yellow" p="sm" title="Replacement requested">
          The operator decides about it. Until then this eSIM stays as it is.
        </Alert>
      );
    case 'rejected':
      return (
        <Alert color="gray" p="sm" title="Replacement rejected">
          This eSIM stays as it is.
        </Alert>
      );
  }
}
