import { count } from '../../../parts/count.ts';
import {
  IconCash,
  IconDeviceSim,
  IconFileText,
  IconReceipt,
  IconTag,
  IconWebhook,
  IconWorld,
} from '../../../parts/icons.ts';
import { ModeBadge } from '../../../parts/ModeBadge.tsx';
import { Money } from '../../../parts/Money.tsx';
import { When } from '../../../parts/When.tsx';
import { monthName } from '../../../subjects/money/months.ts';
import { OrderStatus } from '../../../subjects/orders/OrderStatus.tsx';
import { Found } from '../../../subjects/search/SearchDialog.tsx';
import type { SearchResult } from '../../api/search.ts';

const icons = {
  order: IconFileText,
  esim: IconDeviceSim,
  payment: IconCash,
  invoice: IconReceipt,
  credit_note: IconReceipt,
  delivery: IconWebhook,
  destination: IconWorld,
  plan: IconTag,
};

export function Result({ result }: { result: SearchResult }) {
  const Picture = icons[result.kind];
  return (
    <Found icon={<Picture size={18} />} headline={<Headline of={result} />} details={<Details of={result} />}>
      {result.kind === 'order' && <OrderStatus state={result.state} />}
      {result.kind !== 'destination' && result.kind !== 'plan' && <ModeBadge mode={result.mode} />}
    </Found>
  );
}

function Headline({ of }: { of: SearchResult }) {
  switch (of.kind) {
    case 'order':
      return `Order ${of.id}`;
    case 'esim':
      return `eSIM ${of.iccid}`;
    case 'payment':
      return (
        <>
          Payment of <Money amount={of.amount} />
        </>
      );
    case 'invoice':
      return `Invoice ${of.number}`;
    case 'credit_note':
      return `Credit note ${of.number}`;
    case 'delivery':
      return `Webhook delivery ${of.id}`;
    case 'destination':
    case 'plan':
      return of.title;
  }
}

function Details({ of }: { of: SearchResult }) {
  switch (of.kind) {
    case 'order':
      return (
        <>
          {of.title}
          {of.reference && `, reference ${of.reference}`}
          {of.by === 'idempotency_key' && ', found by its idempotency key'}
        </>
      );
    case 'esim':
      return of.title;
    case 'payment':
      return <When at={of.created_at} exact />;
    case 'invoice':
    case 'credit_note':
      return (
        <>
          {monthName(of.month)}, <Money amount={of.total} />
        </>
      );
    case 'delivery':
      return of.event;
    case 'destination':
      return 'Destination';
    case 'plan':
      return `Plan ${of.id}, ${of.data}, ${count(of.day, 'day')}`;
  }
}
