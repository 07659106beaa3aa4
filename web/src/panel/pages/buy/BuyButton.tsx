import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { Facts } from '../../../parts/Facts.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { dollars, Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { refusedAs } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { type Bought, purchase, type Quote, quote } from '../../api/purchases.ts';
import { paths } from '../../paths.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';
import { BeyondLimits } from '../money/AccountLimits.tsx';

/** A new price cannot be confirmed before it can be read, e.g. by the second click of a double click. */
const READ_MS = 1_000;

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
  /** The price that was confirmed and is no longer the price. */
  const [confirmed, setConfirmed] = useState<string>();
  const [isUnread, setUnread] = useState(false);
  const buy = useChange(
    () => purchase(mode, wanted),
    [mode],
    onBought ?? ((bought) => navigate(paths.order(mode, bought.order_id))),
  );
  useEffect(() => {
    if (!isUnread || offer.isFetching) return;
    const timer = setTimeout(() => setUnread(false), READ_MS);
    return () => clearTimeout(timer);
  }, [isUnread, offer.isFetching]);
  if (!may('buy') || isView) return null;
  const verb = iccid === undefined ? 'Buy' : 'Refill';
  return (
    <FormDialog
      label={label ?? verb}
      aria-label={`${label ?? verb}: ${title}`}
      {...(isPrimary && { variant: 'filled' })}
      title={iccid === undefined ? `Buy “${title}”` : `Refill the eSIM with “${title}”`}
      submitLabel={price === '' ? verb : `${verb} for ${dollars(price)}`}
      isReady={offer.data?.can_buy === true && !offer.isFetching && !isUnread}
      // What the new quote says better is not said twice.
      change={isExplained(buy.error, offer.data, confirmed) ? { ...buy, error: null } : buy}
      onOpen={() => {
        setReference('');
        setConfirmed(undefined);
        setUnread(false);
        setOpen(true);
      }}
      onSubmit={() =>
        buy.mutateAsync(undefined).catch((error: unknown) => {
          if (refusedAs(error, 'price_changed')) {
            setConfirmed(price);
            setUnread(true);
          }
          if (refusedAs(error, 'price_changed', 'limit_exceeded')) offer.refetch();
          throw error;
        })
      }
    >
      <Loaded query={offer}>
        {(quoted) => (
          <>
            {confirmed !== undefined && confirmed !== price && !offer.isFetching && (
              <Alert color="yellow" p="sm" role="alert" title="The price has changed">
                You confirmed {dollars(confirmed)}. It costs {dollars(price)} now. Nothing was bought and nothing was
                charged.
              </Alert>
            )}
            <Offer mode={mode} of={quoted} iccid={iccid} />
          </>
        )}
      </Loaded>
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

/** Whether the dialog already shows what a refusal was about: the two prices, or the limit. */
function isExplained(error: unknown, quoted: Quote | undefined, confirmed: string | undefined): boolean {
  if (refusedAs(error, 'price_changed')) return quoted?.partner_price.toFixed(2) !== confirmed;
  return refusedAs(error, 'limit_exceeded') !== undefined && quoted?.blocked_by === 'limit_exceeded';
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
          {of.blocked_by === 'limit_exceeded' ? (
            <BeyondLimits mode={mode} price={of.partner_price} />
          ) : (
            blockedBy(of.blocked_by)
          )}
        </Alert>
      )}
    </Stack>
  );
}

const sentences: Readonly<Record<string, string>> = {
  insufficient_balance: 'Your balance is lower than the price. Top up first.',
  credit_limit_exceeded: 'The price is more than the credit you have left.',
  partner_account_suspended: 'Your account is suspended. Contact the operator to reactivate it.',
  product_not_found: 'This plan is not on sale now.',
};

/** Why something cannot be bought now, by the code a purchase would be refused with. */
const blockedBy = (code: string): string => sentences[code] ?? `It can’t be bought now (${code}).`;
