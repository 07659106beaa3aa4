import { memberRoles } from '../../../domains/partners/people/people.ts';
import { findBuyer } from '../../../platform/audit/audit-log.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Base } from '../../../worlds/base.ts';
import { readOrderTrail } from '../../../worlds/world.ts';
import { bigIdOf, iso, requireMode } from '../../site/json/action.ts';
import { keysOf, loggedKeyView } from '../../site/views/records.ts';
import { isBoughtInPanel, placedView, timelineView } from '../../site/views/timeline.ts';
import { memberRead } from '../member-action.ts';
import { fields } from '../viewed.ts';

export const timelineActions = ({ db, worlds }: Base) => [
  memberRead('/api/{mode}/orders/{id}/timeline', {
    may: 'see',
    viewed: {
      refill_of: true,
      as_of: true,
      replacement: fields('status', 'order_id', 'iccid'),
      steps: {
        ...fields('kind', 'at', 'request_id', 'is_logged', 'in_panel', 'by', 'movement_id', 'book', 'type'),
        ...fields('amount', 'reason', 'note', 'event_id', 'event', 'order_id', 'product_title', 'status'),
        ...fields('n', 'country', 'covered', 'replaces', 'iccid', 'is_automatic', 'is_rest', 'is_told'),
        key: fields('id', 'name', 'mask'),
        deliveries: {
          ...fields('delivery_id', 'subscription_id', 'status', 'held'),
          tries: fields('attempt', 'at', 'duration_ms', 'http_code', 'error'),
        },
      },
      waiting: fields('attempts', 'next_attempt_at', 'reason'),
    },
    async read(call) {
      const mode = requireMode(call);
      const world = worlds[mode];
      const { partnerId } = call.member;
      const id = bigIdOf(call);
      // Also brings it up to date, in the world where reads do that.
      if (!(await world.orders.find(partnerId, id))) throw new Refused('order_not_found');
      const trail = await readOrderTrail(world, id);
      if (!trail) throw new Refused('order_not_found');
      const { requestId, keyId } = trail.order;
      const seesKeys = memberRoles.may(call.member.role, 'see-keys');
      const [logged, keys, buyer] = await Promise.all([
        seesKeys && requestId !== null ? world.requestLog.find(partnerId, requestId, call.now) : undefined,
        seesKeys && keyId !== null ? keysOf(db, partnerId) : undefined,
        isBoughtInPanel(trail) ? findBuyer(db, { orderId: id, mode }) : undefined,
      ]);
      const key = keys && keyId !== null ? loggedKeyView(keyId, keys) : null;
      const as_of = iso(await world.webhooks.asOf());
      const placed = placedView(trail, { key, isLogged: logged !== undefined, buyer });
      return { ...timelineView(trail, placed), as_of };
    },
  }),
];
