import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Refusal } from '../../../parts/server/client.ts';
import { ORDERS } from '../../api/orders.ts';

/**
 * For decisions that somebody else made first. The list is read again, and the dialog may disappear with its row; the page keeps
 * the error, which says who decided what.
 */
export function useLate() {
  const client = useQueryClient();
  const [late, setLate] = useState<Error>();
  async function watch<T>(decision: Promise<T>): Promise<T> {
    setLate(undefined);
    try {
      return await decision;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'refund_changed') {
        setLate(error);
        void client.invalidateQueries({ queryKey: ORDERS });
      }
      throw error;
    }
  }
  return { late, watch };
}

export type Watch = ReturnType<typeof useLate>['watch'];
