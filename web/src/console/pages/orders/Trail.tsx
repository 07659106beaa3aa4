import { Text } from '@mantine/core';
import type { TimelineStep as StepView } from '../../../../../src/entry/site/views/timeline.ts';
import { Section } from '../../../parts/Section.tsx';
import { Step, Steps } from '../../../subjects/orders/Steps.tsx';
import { keyOf, TimelineStep } from '../../../subjects/orders/TimelineStep.tsx';
import type { OrderDetail } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { Sentence } from '../../Sentence.tsx';
import { whyFailed } from './reasons.ts';

type Change = OrderDetail['changes'][number];
type Entry = { readonly key: string; readonly at: string } & (
  | { readonly step: StepView }
  | { readonly change: Change }
);

/** What happened to an order, step by step, with what operators did. */
export function Trail({ detail }: { detail: OrderDetail }) {
  const { mode, order, steps, changes } = detail;
  const entries: Entry[] = [
    ...steps.map((step) => ({ key: keyOf(step), at: step.at, step })),
    // The first step says who bought it.
    ...changes
      .filter(({ what }) => what !== 'order buy')
      .map((change, i) => ({ key: `change ${i}`, at: change.at, change })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <Section title="Timeline" about="Oldest first: the order, its money, its events and what operators did.">
      <Steps>
        {entries.map((entry) => (
          <Step key={entry.key} kind={'step' in entry ? entry.step.kind : 'change'} at={entry.at}>
            {'step' in entry ? (
              <TimelineStep
                links={{ order: (id) => paths.order(id, mode) }}
                step={entry.step}
                isRefill={order.type === 'refill'}
                whose="the partner’s"
                whyFailed={() => whyFailed(detail)}
              />
            ) : (
              <Changed of={entry.change} />
            )}
          </Step>
        ))}
      </Steps>
    </Section>
  );
}

const Changed = ({ of }: { of: Change }) => (
  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
    <Sentence by={of.by.name} parts={of.sentence} />
  </Text>
);
