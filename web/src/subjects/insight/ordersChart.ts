import type { OrdersInsight } from '../../../../src/entry/panel/insight/insight.ts';
import type { ChartData } from '../../parts/charts/series.ts';
import { pointsOf, stepLabel } from './points.ts';
import { counts } from './words.ts';

type OrdersPoint = Pick<
  OrdersInsight['points'][number],
  'at' | 'orders' | 'delivered' | 'failed' | 'cancelled' | 'refused'
>;

const waiting = ({ orders, delivered, failed, cancelled }: OrdersPoint): number =>
  orders - delivered - failed - cancelled;

/** Without any of these that is still worth saying. */
const ALWAYS: readonly string[] = ['Delivered', 'Failed after payment'];

/** Orders by time and outcome. What else never happened has no part in the legend. */
export function ordersChart(per: OrdersInsight['per'], points: readonly OrdersPoint[]): ChartData {
  const all = [
    { name: 'Delivered', colour: 2, values: points.map(({ delivered }) => delivered) },
    { name: 'On the way', colour: 1, values: points.map(waiting) },
    { name: 'Failed after payment', colour: 4, values: points.map(({ failed }) => failed) },
    { name: 'Cancelled', colour: 3, values: points.map(({ cancelled }) => cancelled) },
    { name: 'Failed, not charged', colour: 5, values: points.map(({ refused }) => refused) },
  ] as const;
  return {
    label: `Orders by ${per}`,
    pointsLabel: stepLabel[per],
    kind: 'bars',
    points: pointsOf(per, points),
    series: all.filter(({ name, values }) => ALWAYS.includes(name) || values.some((value) => value !== 0)),
    measure: counts,
  };
}
