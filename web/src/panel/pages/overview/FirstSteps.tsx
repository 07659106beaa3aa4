import { Anchor, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CodeBlock } from '../../../parts/Copy.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { keyState } from '../../../subjects/keys/keys.ts';
import { keys } from '../../api/keys.ts';
import { me } from '../../api/session.ts';
import { subscriptions } from '../../api/webhooks.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { listPlans } from '../curl.ts';

/** The way to a working integration. Steps check themselves off; once all are done, the card disappears. */
export function FirstSteps({ mode }: { mode: Mode }) {
  const who = useQuery(me).data;
  // For those who build the integration.
  const develops = useMay()('develop');
  const ofMode = useQuery({ ...keys, enabled: develops }).data?.keys.filter((key) => key.mode === mode);
  const hooks = useQuery(subscriptions(mode)).data?.subscriptions;
  if (!develops || !who || !ofMode || !hooks) return null;
  const made = ofMode.some((key) => keyState(key) === 'active');
  const called = ofMode.some((key) => key.last_used_at !== null);
  const heard = hooks.length > 0;
  if (made && called && heard) return null;
  return (
    <Section title="Get started">
      <Stack gap="lg">
        <Step number={1} done={made} title="Create an API key">
          <Anchor component={Link} to={paths.keys} size="sm">
            Create a {mode} key
          </Anchor>
        </Step>
        <Step number={2} done={called} title="Make your first request">
          <Text size="sm" c="dimmed" mb="xs">
            Put your key in $KEY, then list three plans for France:
          </Text>
          <CodeBlock text={listPlans(who.addresses[mode])} what="the command" />
        </Step>
        <Step number={3} done={heard} title="Get notified of changes">
          <Anchor component={Link} to={paths.webhooks(mode)} size="sm">
            Add a webhook
          </Anchor>
        </Step>
      </Stack>
    </Section>
  );
}

interface StepProps {
  number: number;
  done: boolean;
  title: string;
  children: ReactNode;
}

function Step({ number, done, title, children }: StepProps) {
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
        {!done && children}
      </div>
    </Group>
  );
}
