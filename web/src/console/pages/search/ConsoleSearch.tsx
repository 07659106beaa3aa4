import { useQuery } from '@tanstack/react-query';
import {
  IconBuildingStore,
  IconCash,
  IconFileText,
  IconKey,
  IconReceipt,
  IconTag,
  IconTransfer,
  IconUser,
  IconUserShield,
  IconWorld,
} from '../../../parts/icons.ts';
import { ModeBadge } from '../../../parts/ModeBadge.tsx';
import { Money } from '../../../parts/Money.tsx';
import { When } from '../../../parts/When.tsx';
import { monthName } from '../../../subjects/money/months.ts';
import { OrderStatus } from '../../../subjects/orders/OrderStatus.tsx';
import { personalSettings, sectionsOf } from '../../../subjects/search/personalSettings.ts';
import { useRecentPages } from '../../../subjects/search/recentPages.ts';
import { Found as Row, SearchDialog } from '../../../subjects/search/SearchDialog.tsx';
import { type Found, search } from '../../api/orders.ts';
import { me } from '../../api/session.ts';
import { consolePages } from '../../ConsoleNavigation.tsx';
import { paths } from '../../paths.ts';
import { useActions } from './actions.ts';

const icons = {
  order: IconFileText,
  partner: IconBuildingStore,
  key: IconKey,
  member: IconUser,
  operator: IconUserShield,
  payment: IconCash,
  invoice: IconReceipt,
  credit_note: IconReceipt,
  request: IconTransfer,
  destination: IconWorld,
  plan: IconTag,
};

const places = [...consolePages, ...sectionsOf({ to: paths.security, label: 'Security' }, personalSettings)];

/** The console's search, over all partners and both worlds. */
export function ConsoleSearch(props: { isOpen: boolean; onClose: () => void }) {
  const email = useQuery(me).data?.operator.email;
  const actions = useActions();
  return (
    <SearchDialog
      {...props}
      ask={(text) => ({ key: ['console', 'search', text], run: () => search(text) })}
      pathOf={pathOf}
      keyOf={keyOf}
      shown={(found) => <Result of={found} />}
      pages={[...actions, ...places]}
      first={[...useRecentPages(email), ...actions]}
      label="Order, ICCID, partner, e-mail, key, plan, page, action"
      about="Finds orders by id, reference, ICCID or the supplier’s number, partners by name or id, keys by their last four characters, e-mail addresses, payment keys, invoice numbers, API request ids of the last 7 days, and destinations, plans, pages and settings by name. Case does not matter."
      nothing="Nothing has this name, number or id."
    />
  );
}

function pathOf(found: Found): string {
  switch (found.kind) {
    case 'order':
      return paths.order(found.id, found.mode);
    case 'partner':
      return paths.partner(found.id);
    case 'operator':
      return paths.staff;
    case 'destination':
      return paths.plansOf(found.id);
    case 'plan':
      return paths.plan(found.id);
    case 'request':
      return found.order_id === null ? paths.partner(found.partner_id) : paths.order(found.order_id, found.mode);
    case 'invoice':
    case 'credit_note':
      return paths.invoice(found.number, found.mode);
    case 'key':
    case 'member':
    case 'payment':
      return paths.partner(found.partner_id);
  }
}

const keyOf = (found: Found): string => `${found.kind} ${'mode' in found ? found.mode : ''} ${nameOf(found)}`;

function nameOf(found: Found): string | number {
  switch (found.kind) {
    case 'payment':
      return found.payment_key;
    case 'request':
      return found.request_id;
    case 'invoice':
    case 'credit_note':
      return found.number;
    default:
      return found.id;
  }
}

function Result({ of }: { of: Found }) {
  const Picture = icons[of.kind];
  return (
    <Row icon={<Picture size={18} />} headline={<Headline of={of} />} details={<Details of={of} />}>
      {of.kind === 'order' && <OrderStatus state={of.state} />}
      {'mode' in of && of.mode === 'sandbox' && <ModeBadge mode={of.mode} />}
    </Row>
  );
}

function Headline({ of }: { of: Found }) {
  switch (of.kind) {
    case 'order':
      return `Order ${of.id}`;
    case 'partner':
      return of.name;
    case 'key':
      return `Key ${of.mask}${of.name === '' ? '' : `, ${of.name}`}`;
    case 'member':
    case 'operator':
      return of.email;
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
    case 'request':
      return `${of.call}, HTTP ${of.status}`;
    case 'destination':
    case 'plan':
      return of.title;
  }
}

function Details({ of }: { of: Found }) {
  switch (of.kind) {
    case 'order':
      return `${of.partner}, ${of.title}${of.reference === '' ? '' : `, reference ${of.reference}`}`;
    case 'partner':
      return `Partner ${of.id}${of.is_closed ? ', closed' : ''}`;
    case 'key':
      return `${of.partner}${of.is_revoked ? ', revoked' : ''}`;
    case 'member':
      return `Member of ${of.partner}, ${of.role}`;
    case 'operator':
      return `Operator, ${of.role}`;
    case 'destination':
      return 'Destination';
    case 'plan':
      return `Plan ${of.id}, ${of.supplier}${of.is_on_sale ? '' : ', not on sale'}`;
    case 'payment':
      return `${of.partner}, ${of.status.replaceAll('_', ' ')}`;
    case 'invoice':
    case 'credit_note':
      return (
        <>
          {of.partner}, {monthName(of.month)}, <Money amount={of.total} />
        </>
      );
    case 'request':
      return (
        <>
          {of.partner}, <When at={of.at} exact />
          {of.order_id !== null && `, order ${of.order_id}`}
        </>
      );
  }
}
