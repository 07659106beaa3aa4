import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Facts } from '../../../parts/Facts.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { dollars, Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Refusal } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { type Bought, purchase, type Quote, quote } from '../../api/purchases.ts';
import { paths } from '../../paths.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';

interface BuyButtonProps {
  mode: Mode;
  productId: string;
  /** Names the plan. */
  title: string;
  /** If set, the plan is added to this eSIM. */
  iccid?: string;
  label?: string;
  /** In place of opening the order’s page. */
  onBought?: (bought: Bought) => void;
  isPrimary?: boolean;
}

/** Buys a plan: shows the current price, then asks for confirmation. Shown only to members who may buy. */
export function BuyButton({ mode, productId, title, iccid, label, onBought, isPrimary = false }: BuyButtonProps) {
  const may = useMay();
  const isView = useIsView();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [reference, setReference] = useState('');
  const offer = useQuery({ ...quote(mode, productId, iccid), enabled: isOpen });
  const price = offer.data?.partner_price.toFixed(2) ?? '';
  const wanted = { product_id: productId, max_price: price, ...(iccid && { iccid }), ...(reference && { reference }) };
  const buy = useChange(
    () => purchase(mode, wanted),
    [mode],
    onBought ?? ((bought) => navigate(paths.order(mode, bought.order_id))),
  );
  if (!may('buy') || isView) return null;
  const verb = iccid === undefined ? 'Buy' : 'Refill';
  return (
    <FormDialog
      label={label ?? verb}
      aria-label={`${label ?? verb}: ${title}`}
      {...(isPrimary && { variant: 'filled' })}
      title={iccid === undefined ? `Buy “${title}”` : `Refill the eSIM with “${title}”`}
      submitLabel={price === '' ? verb : `${verb} for ${dollars(price)}`}
      isReady={offer.data?.can_buy === true && !offer.isFetching}
      change={buy}
      onOpen={() => {
        setReference('');
        setOpen(true);
      }}
      onSubmit={() =>
        buy.mutateAsync(undefined).catch((error: unknown) => {
          if (error instanceof Refusal && error.code === 'price_changed') offer.refetch();
          throw error;
        })
      }
    >
      <Loaded query={offer}>{(quoted) => <Offer mode={mode} of={quoted} iccid={iccid} />}</Loaded>
      <TextInput
        label="Your reference (optional)"
        description="A booking number, for example. You can find the order by it."
        maxLength={64}
        value={reference}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
      />
    </FormDialog>
  );
}

function Offer({ mode, of, iccid }: { mode: Mode; of: Quote; iccid: string | undefined }) {
  const seesMoney = useMay()('see-money');
  return (
    <Stack gap="sm">
      {mode === 'live' ? (
        <Alert color="yellow" p="sm">
          This costs real money: it is paid from your {of.billing_mode === 'postpaid' ? 'credit line' : 'balance'}, and
          the supplier {iccid === undefined ? 'delivers an eSIM' : 'adds it to the eSIM'}.
        </Alert>
      ) : (
        <Text size="sm" c="dimmed">
          Sandbox: test money and a test eSIM.
        </Text>
      )}
      <Facts
        facts={[
          ['eSIM', iccid && <span className="mono">{iccid}</span>],
          ['You pay', <Money key="price" amount={of.partner_price} />],
          [
            of.billing_mode === 'postpaid' ? 'Credit left now' : 'Balance now',
            seesMoney && <Money key="available" amount={of.available} />,
          ],
        ]}
      />
      {!of.can_buy && (
        <Alert color="red" p="sm" role="alert">
          {blockedBy(of.blocked_by)}
        </Alert>
      )}
    </Stack>
  );
}

const sentences: Readonly<Record<string, string>> = {
  insufficient_balance: 'Your balance is lower than the price. Top up first.',
  credit_limit_exceeded: 'The price is more than the credit you have left.',
  limit_exceeded: 'The price is above what may still be spent under a limit of the account.',
  partner_account_suspended: 'Your account is suspended. Contact the operator to reactivate it.',
  product_not_found: 'This plan is not on sale now.',
};

/** Why something cannot be bought now, by the code a purchase would be refused with. */
const blockedBy = (code: string): string => sentences[code] ?? `It can’t be bought now (${code}).`;
