import { Anchor, SimpleGrid } from '@mantine/core';
import { Link } from 'react-router';
import { count } from '../../../parts/count.ts';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Headline } from '../../../subjects/insight/Headline.tsx';
import { allOutcomes, moreNotCharged, share } from '../../../subjects/insight/words.ts';
import type { Overview } from '../../api/overview.ts';
import { inCurrency } from '../../api/retail.ts';
import { paths } from '../../paths.ts';

interface FiguresProps {
  mode: Mode;
  of: Overview;
}

/** Today compared with the same hours a week ago, delivery, and what is left to spend. */
export function Figures({ mode, of }: FiguresProps) {
  const { today, week_ago, last_week } = of;
  // Today is not over, and would always look like a fall.
  const days = of.days.slice(0, -1);
  return (
    <SimpleGrid cols={{ base: 2, md: of.retail ? 5 : 4 }}>
      <Headline
        name="Orders today"
        trend={days.map(({ orders }) => orders)}
        note={
          <>
            {today.refused > 0 && `${moreNotCharged(today.refused)}${of.counted_until === null ? '. ' : '; '}`}
            <Before of={of}>{count(week_ago.orders, 'order')}</Before>
          </>
        }
      >
        {today.orders}
      </Headline>
      {today.spent !== null && week_ago.spent !== null && (
        <Headline
          name="Spend today"
          trend={days.map(({ spent }) => Number(spent))}
          note={
            <Before of={of}>
              <Money amount={week_ago.spent} />
            </Before>
          }
        >
          <Money amount={today.spent} />
        </Headline>
      )}
      <Headline
        name="Delivery success, last 7 days"
        trend={successOf(days)}
        note={of.counted_until === null ? 'Earlier orders are still being counted' : allOutcomes(last_week)}
      >
        {share(last_week.delivered, last_week.delivered + last_week.failed)}
      </Headline>
      {of.retail && (
        <Headline
          name="Margin, last 7 days"
          note={`${inCurrency(of.retail.revenue, of.retail.currency)} revenue at today’s retail prices${of.retail.is_whole ? '' : ', plans without one left out'}`}
        >
          <Money amount={of.retail.margin} />
        </Headline>
      )}
      {of.available !== null && <Balance mode={mode} of={of} available={of.available} />}
    </SimpleGrid>
  );
}

/** Of the days on which an order ended as something else than cancelled. */
const successOf = (days: Overview['days']): number[] =>
  days.flatMap(({ delivered, failed }) => (delivered + failed > 0 ? [delivered / (delivered + failed)] : []));

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' });
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

function Before({ of: { compared_until, counted_until }, children }: { of: Overview; children: React.ReactNode }) {
  if (counted_until === null) return <>Earlier orders are still being counted</>;
  const until = new Date(compared_until);
  // The end of a day belongs to the day before.
  const day = weekday.format(new Date(until.getTime() - 1));
  const time = hour.format(until);
  return (
    <>
      {children} last {day}
      {time === '00:00' ? '' : ` by ${time}`}
    </>
  );
}

/** As high as a finger needs, the link would tear the sentence before it apart. */
const ownLine = { display: 'flex', width: 'fit-content' } as const;

function Balance({ mode, of, available }: FiguresProps & { available: string }) {
  const isOnCredit = of.is_credit && mode === 'live';
  const name = isOnCredit ? 'Available credit' : mode === 'live' ? 'Balance' : 'Test balance';
  const change =
    mode === 'live' ? (
      <Anchor component={Link} to={paths.money(mode)} size="xs" underline="always" className="target" style={ownLine}>
        {isOnCredit ? 'Statement' : 'Top up'}
      </Anchor>
    ) : (
      <Anchor component={Link} to={paths.sandboxTools} size="xs" underline="always" className="target" style={ownLine}>
        Change
      </Anchor>
    );
  const { suspended, credit_used } = of.notices;
  return (
    <Headline
      name={name}
      note={
        <>
          {suspended && 'Nothing can be spent: your account is suspended. '}
          {!suspended && credit_used && 'Nothing can be spent: your credit limit is used up. '}
          {!suspended && !credit_used && of.lasts_days !== null && `${lasts(of.lasts_days)} `}
          {change}
        </>
      }
    >
      <Money amount={Math.max(0, Number(available))} />
    </Headline>
  );
}

/** The server counts up to a year. */
function lasts(days: number): string {
  if (days === 0) return 'Lasts less than a day at this pace.';
  return days >= 365 ? 'Lasts more than a year at this pace.' : `Lasts about ${count(days, 'day')} at this pace.`;
}
