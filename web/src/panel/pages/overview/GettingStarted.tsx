import { Anchor, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { CodeBlock } from '../../../parts/Copy.tsx';
import { IconCheck } from '../../../parts/icons.ts';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { inbox } from '../../api/inbox.ts';
import { examplePlan } from '../../api/orders.ts';
import type { Overview } from '../../api/overview.ts';
import type { Bought } from '../../api/purchases.ts';
import { me } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { BuyButton } from '../buy/BuyButton.tsx';
import { JustBought } from '../buy/JustBought.tsx';
import { buyPlan } from '../curl.ts';
import { Inbox } from '../webhooks/Inbox.tsx';
import { Addresses } from './Addresses.tsx';

interface GettingStartedProps {
  mode: Mode;
  of: Overview;
  /** For those who build the integration. */
  develops: boolean;
}

/** Steps towards a working integration, shown until there is a live order. */
export function GettingStarted({ mode, of, develops }: GettingStartedProps) {
  return (
    <>
      {develops && <FirstSteps mode={mode} steps={of.steps} />}
      {!of.has_sold && <Addresses mode={mode} />}
    </>
  );
}

/** Steps check themselves off; once all are done, and no inbox is open, the card disappears. */
function FirstSteps({ mode, steps }: { mode: Mode; steps: Overview['steps'] }) {
  const isLive = useQuery(me).data?.partner.is_live;
  const open = useQuery({ ...inbox, enabled: mode === 'sandbox' }).data?.inbox ?? null;
  // Shown for as long as the page is open, although the purchase completes its step.
  const [bought, setBought] = useState<Bought>();
  const buyHere = (label?: string) => <BuyHere mode={mode} label={label} bought={bought} onBought={setBought} />;
  const isDone = steps.key && steps.order && steps.webhook && bought === undefined;
  if (isDone && (mode === 'live' || (open === null && isLive !== false))) return null;
  return (
    <Section title="Get started">
      <Stack gap="lg">
        <Step number={1} done={steps.key} title="Create an API key">
          <Anchor component={Link} to={paths.keys} size="sm">
            Create a {mode} key
          </Anchor>
        </Step>
        {mode === 'sandbox' ? (
          <>
            <Step number={2} done={open !== null || steps.webhook} title="Open an inbox for webhooks">
              <Inbox />
            </Step>
            <Step number={3} done={steps.order} title="Buy a test eSIM" always={bought !== undefined && open === null}>
              {buyHere(bought && 'Buy another')}
            </Step>
            <Step number={4} done={steps.webhook} title="Receive its webhook" always={open !== null}>
              {open === null ? (
                <Text size="sm" c="dimmed">
                  Open the inbox, then buy: the events of the order arrive here.
                </Text>
              ) : (
                <Stack gap="sm">
                  <Inbox />
                  {steps.order && buyHere('Buy another')}
                </Stack>
              )}
            </Step>
            <Step number={5} done={isLive === true} title="Go live">
              <Text size="sm" c="dimmed" mb={4}>
                The same calls, with a live key and real eSIMs. Your sandbox stays as it is.
              </Text>
              <Anchor component={Link} to={paths.goLive} size="sm">
                Apply for live
              </Anchor>
            </Step>
          </>
        ) : (
          <>
            <Step number={2} done={steps.webhook} title="Get notified of changes">
              <Anchor component={Link} to={paths.webhooks(mode)} size="sm">
                Add a webhook
              </Anchor>
            </Step>
            <Step number={3} done={steps.order} title="Place the first order">
              <Anchor component={Link} to={paths.catalog(mode)} size="sm">
                Choose a plan
              </Anchor>
            </Step>
          </>
        )}
      </Stack>
    </Section>
  );
}

interface BuyHereProps {
  mode: Mode;
  label: string | undefined;
  bought: Bought | undefined;
  onBought: (bought: Bought) => void;
}

/** Buys an example in the page, and shows the call that does the same. */
function BuyHere({ mode, label = 'Buy a test eSIM', bought, onBought }: BuyHereProps) {
  const base = useQuery(me).data?.addresses[mode];
  const plan = useQuery(examplePlan(mode)).data?.products[0];
  if (!plan || base === undefined) return null;
  return (
    <Stack gap="xs" align="flex-start" mt={4}>
      <Group gap="sm">
        <BuyButton mode={mode} productId={plan.id} title={plan.title} label={label} onBought={onBought} isPrimary />
      </Group>
      {bought && <JustBought mode={mode} orderId={bought.order_id} />}
      <Text size="sm" c="dimmed">
        The same with your key in $WAYFARE_KEY:
      </Text>
      <div style={{ alignSelf: 'stretch' }}>
        <CodeBlock text={buyPlan(base, plan.id)} what="the command" />
      </div>
    </Stack>
  );
}

interface StepProps {
  number: number;
  done: boolean;
  title: string;
  /** Shown although it is done. */
  always?: boolean;
  children: ReactNode;
}

function Step({ number, done, title, always = false, children }: StepProps) {
  return (
    <Group align="flex-start" wrap="nowrap" gap="md">
      <ThemeIcon radius="xl" size={26} variant={done ? 'filled' : 'light'} color={done ? 'teal' : 'gray'}>
        {done ? <IconCheck size={15} /> : <span className="num">{number}</span>}
      </ThemeIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text fw={500} c={done ? 'dimmed' : 'inherit'}>
          {title}
          {done && ' (done)'}
        </Text>
        {(!done || always) && children}
      </div>
    </Group>
  );
}
