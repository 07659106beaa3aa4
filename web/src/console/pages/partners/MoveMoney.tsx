import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../../../parts/Choice.tsx';
import { Done } from '../../../parts/Done.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { dollars, Money } from '../../../parts/Money.tsx';
import { isUnreachable } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { runAction } from '../../api/actions.ts';
import { allPartners, type Partner } from '../../api/partners.ts';
import { AfterMove } from './AfterMove.tsx';
import { type Balances, balanceAfter, type Corrected, isOtherwise, type MoveKind } from './balanceAfter.ts';
import { type MoveCall, moveCall } from './inputs.ts';

const words: Record<MoveKind, { label: string; title: string; about: string; submit: string }> = {
  credit: {
    label: 'Add credit',
    title: 'Record money received from',
    about: 'For money that arrived by bank transfer. It counts as a top-up toward the share tier.',
    submit: 'Add credit',
  },
  promo: {
    label: 'Grant promo credit',
    title: 'Grant promotional credit to',
    about: 'Spent before cash. It does not count as a top-up.',
    submit: 'Grant credit',
  },
  payment: {
    label: 'Record payment',
    title: 'Record a payment of',
    about: 'For an invoice that was paid: takes it off the debt.',
    submit: 'Record payment',
  },
  adjust: {
    label: 'Adjust',
    title: 'Correct the account of',
    about: 'For mistakes. The partner sees the note with the movement.',
    submit: 'Adjust',
  },
};

type Result = Pick<Balances, 'balance' | 'cash' | 'promo' | 'debt'>;

/** One way to move a partner's money by hand. It shows the resulting balances before anything is sent, and says if they differ afterwards. */
export function MoveMoney({ of, kind, onMoved }: { of: Partner; kind: MoveKind; onMoved?: () => unknown }) {
  const client = useQueryClient();
  const [amount, setAmount] = useState('');
  const [by, setBy] = useState<'add' | 'subtract'>('subtract');
  const [what, setWhat] = useState<Corrected>('cash');
  const [seen, setSeen] = useState(of.wallet);
  const [ended, setEnded] = useState<{ expected: Balances; result: Result }>();
  const change = useChange(({ action, input }: MoveCall) => runAction(action, input), allPartners);
  const move = { kind, amount, by, what };
  const after = balanceAfter(of.wallet, of.billing_mode, move);
  const { label, title, about, submit } = words[kind];
  /** Always the current balances. */
  const readAgain = () => client.invalidateQueries({ queryKey: allPartners });
  return (
    <>
      <FormDialog
        label={label}
        title={`${title} ${of.name}`}
        submitLabel={submit}
        isReady={after.outcome === 'moved'}
        change={change}
        onOpen={() => {
          setAmount('');
          setSeen(of.wallet);
          setEnded(undefined);
          void readAgain();
        }}
        onSubmit={async (form) => {
          if (after.outcome !== 'moved') return;
          const call = moveCall(of.id, move, String(form.get('note') ?? ''));
          const result = await change.mutateAsync(call).catch(async (error) => {
            await readAgain();
            throw error;
          });
          setEnded({ expected: after.after, result });
          onMoved?.();
        }}
      >
        <Text size="sm">{about}</Text>
        {kind === 'adjust' && (
          <>
            <Choice
              label="What to correct"
              options={[
                { value: 'cash', label: 'Cash' },
                { value: 'promo', label: 'Promo credit' },
                { value: 'debt', label: 'Debt' },
              ]}
              value={what}
              onChange={setWhat}
            />
            <Choice
              label="Add or subtract"
              options={[
                { value: 'add', label: 'Add' },
                { value: 'subtract', label: 'Subtract' },
              ]}
              value={by}
              onChange={setBy}
            />
          </>
        )}
        <TextInput
          label="Amount in USD"
          inputMode="decimal"
          placeholder="12.50"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={amount.trim() !== '' && after.outcome === 'unread' && 'Write an amount like 12.50, above zero.'}
          autoComplete="off"
          required
          data-autofocus
        />
        <TextInput
          name="note"
          label="Note"
          description="The partner sees it with the movement."
          maxLength={500}
          required={kind === 'adjust'}
          autoComplete="off"
        />
        <AfterMove now={of.wallet} after={after} isActive={of.status === 'active'} />
        {isOtherwise(seen, of.wallet) && (
          <Alert color="yellow" p="sm" role="status">
            The account changed while this dialog was open: the balance was {dollars(seen.balance)} and the debt{' '}
            {dollars(seen.debt)}. The figures above are the new ones.
          </Alert>
        )}
        {isUnreachable(change.error) && (
          <Alert color="yellow" p="sm" role="status">
            No answer came, so this may have been recorded all the same. Compare the balance and the latest movements
            before you try again.
          </Alert>
        )}
      </FormDialog>
      {ended && <Outcome key={change.submittedAt} {...ended} />}
    </>
  );
}

/** A colleague or a purchase may have moved money between the preview and the change. */
function Outcome({ expected, result }: { expected: Balances; result: Result }) {
  const now = (
    <>
      The balance is now <Money amount={result.balance} />
      {Number(result.debt) !== 0 && (
        <>
          , the debt <Money amount={result.debt} />
        </>
      )}
      .
    </>
  );
  if (!isOtherwise(expected, result))
    return (
      <Stack w="100%">
        <Done>Recorded. {now}</Done>
      </Stack>
    );
  return (
    <Alert color="yellow" p="sm" role="status" w="100%">
      Recorded, but the account had changed meanwhile, so the balance is not the {dollars(expected.balance)} (debt{' '}
      {dollars(expected.debt)}) that was shown. {now}
    </Alert>
  );
}
