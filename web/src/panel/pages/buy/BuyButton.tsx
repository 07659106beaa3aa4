import { Alert, Anchor, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { Facts } from '../../../parts/Facts.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { dollars, Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { isSignedOut, isUnreachable, refusedAs } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { type Bought, purchase, type Quote, quote } from '../../api/purchases.ts';
import { me } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';
import { BeyondLimits } from '../money/AccountLimits.tsx';
import { forget, type Interrupted, keep, useKeptAtSignOut } from './interrupted.ts';

/** As many as the API takes in one batch. */
const MOST = 100;

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
  /** An earlier purchase that did not happen: the dialog is open again, with what was typed. */
  resumed?: Pick<Interrupted, 'quantity' | 'reference' | 'key'>;
  /** Above the price. */
  children?: ReactNode;
}

/** Buys a plan: shows the current price, then asks for confirmation. Shown only to members who may buy. */
export function BuyButton({
  mode,
  productId,
  title,
  iccid,
  label,
  onBought,
  isPrimary = false,
  resumed,
  children,
}: BuyButtonProps) {
  const may = useMay();
  const isView = useIsView();
  const navigate = useNavigate();
  const memberId = useQuery(me).data?.member.id;
  const [isOpen, setOpen] = useState(resumed !== undefined);
  const [reference, setReference] = useState(resumed?.reference ?? '');
  const [typed, setTyped] = useState(resumed?.quantity ?? '1');
  const offer = useQuery({ ...quote(mode, productId, iccid), enabled: isOpen });
  const price = offer.data?.partner_price.toFixed(2) ?? '';
  const quantity = /^\d{1,3}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= MOST ? Number(typed) : undefined;
  const total = price === '' || quantity === undefined ? undefined : timesOf(price, quantity);
  const isShort = offer.data !== undefined && total !== undefined && Number(total) > offer.data.available;
  const wanted = {
    product_id: productId,
    max_price: price,
    ...(iccid && { iccid }),
    ...(reference && { reference }),
    ...(quantity !== undefined && quantity > 1 && { quantity }),
  };
  /** The price that was confirmed and is no longer the price. */
  const [confirmed, setConfirmed] = useState<string>();
  const [isUnread, setUnread] = useState(false);
  const begun =
    memberId === undefined ? undefined : { memberId, mode, productId, title, iccid, quantity: typed, reference };
  useKeptAtSignOut(isOpen, begun);
  const buy = useChange(
    () => (key) => {
      if (begun) keep({ ...begun, key });
      return purchase(mode, wanted)(key);
    },
    [mode],
    (bought) => {
      forget();
      if (bought.batch_id !== null) navigate(`${paths.orders(mode)}?batch=${bought.batch_id}`);
      else if (onBought) onBought(bought);
      else navigate(paths.order(mode, bought.order_id));
    },
    resumed?.key,
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
      submitLabel={total === undefined ? verb : `${verb}${quantity === 1 ? '' : ` ${quantity}`} for ${dollars(total)}`}
      isReady={offer.data?.can_buy === true && total !== undefined && !isShort && !offer.isFetching && !isUnread}
      // What the new quote says better is not said twice.
      change={isExplained(buy.error, offer.data, confirmed) ? { ...buy, error: null } : buy}
      isResumed={resumed !== undefined}
      onOpen={() => {
        setReference('');
        setTyped('1');
        setConfirmed(undefined);
        setUnread(false);
        setOpen(true);
      }}
      onClose={() => {
        setOpen(false);
        forget();
      }}
      onSubmit={() =>
        buy.mutateAsync(undefined).catch((error: unknown) => {
          if (!isSignedOut(error) && !isUnreachable(error)) forget();
          if (refusedAs(error, 'price_changed')) {
            setConfirmed(price);
            setUnread(true);
          }
          if (refusedAs(error, 'price_changed', 'limit_exceeded')) offer.refetch();
          throw error;
        })
      }
    >
      {children}
      <Loaded query={offer}>
        {(quoted) => (
          <>
            {confirmed !== undefined && confirmed !== price && !offer.isFetching && (
              <Alert color="yellow" p="sm" role="alert" title="The price has changed">
                You confirmed {dollars(confirmed)}. It costs {dollars(price)} now. Nothing was bought and nothing was
                charged.
              </Alert>
            )}
            <Offer mode={mode} of={quoted} iccid={iccid} total={isShort && quantity !== 1 ? total : undefined} />
          </>
        )}
      </Loaded>
      {iccid === undefined && (
        <TextInput
          label="Quantity"
          description={
            quantity !== undefined && quantity > 1
              ? 'A batch: charged as a whole or not at all, then each eSIM is an order of its own.'
              : undefined
          }
          inputMode="numeric"
          // Red is too faint for what was typed; the message says what is wrong.
          styles={{ input: { color: 'var(--mantine-color-text)' } }}
          w={quantity !== undefined && quantity > 1 ? undefined : 90}
          maxLength={3}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value.trim())}
          error={quantity === undefined && `1 to ${MOST}`}
        />
      )}
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

/** In cents, so that no amount is a little off. */
const timesOf = (price: string, quantity: number): string =>
  ((Math.round(Number(price) * 100) * quantity) / 100).toFixed(2);

/** Whether the dialog already shows what a refusal was about: the two prices, or the limit. */
function isExplained(error: unknown, quoted: Quote | undefined, confirmed: string | undefined): boolean {
  if (refusedAs(error, 'price_changed')) return quoted?.partner_price.toFixed(2) !== confirmed;
  return refusedAs(error, 'limit_exceeded') !== undefined && quoted?.blocked_by === 'limit_exceeded';
}

interface OfferProps {
  mode: Mode;
  of: Quote;
  iccid: string | undefined;
  /** Set: so many cost more than can be spent. */
  total: string | undefined;
}

function Offer({ mode, of, iccid, total }: OfferProps) {
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
          [iccid === undefined ? 'Price' : 'You pay', <Money key="price" amount={of.partner_price} />],
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
          )}{' '}
          {ofMoney.includes(of.blocked_by) && <MoreMoney mode={mode} of={of} />}
        </Alert>
      )}
      {of.can_buy && total !== undefined && (
        <Alert color="red" p="sm" role="alert">
          Together they cost <Money amount={total} />, more than you can spend now. <MoreMoney mode={mode} of={of} />
        </Alert>
      )}
    </Stack>
  );
}

const ofMoney = ['insufficient_balance', 'credit_limit_exceeded'];

/** Where the balance can be raised; on invoice terms, what the debt is. */
function MoreMoney({ mode, of }: { mode: Mode; of: Quote }) {
  const may = useMay();
  const isOnCredit = of.billing_mode === 'postpaid' && mode === 'live';
  const [to, label] =
    mode === 'sandbox'
      ? [paths.sandboxTools, 'Change the test balance']
      : isOnCredit
        ? [paths.money(mode, 'statement'), 'See your statement']
        : [paths.money(mode), 'Top up'];
  if (mode === 'live' && !may('see-money')) return null;
  return (
    <Anchor component={Link} to={to} fz="inherit" c="inherit" underline="always">
      {label}
    </Anchor>
  );
}

const sentences: Readonly<Record<string, string>> = {
  insufficient_balance: 'Your balance is lower than the price.',
  credit_limit_exceeded: 'The price is more than the credit you have left.',
  partner_account_suspended: 'Your account is suspended. Contact the operator to reactivate it.',
  product_not_found: 'This plan is not on sale now.',
};

/** Why something cannot be bought now, by the code a purchase would be refused with. */
const blockedBy = (code: string): string => sentences[code] ?? `It can’t be bought now (${code}).`;
