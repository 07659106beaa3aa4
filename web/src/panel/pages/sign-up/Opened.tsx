import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { sampleOf } from '../../../../../src/entry/public/reference/samples.ts';
import { Choice } from '../../../parts/Choice.tsx';
import { CodeBlock } from '../../../parts/Copy.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { Door } from '../../../subjects/sign-in/Door.tsx';
import { examplePlan } from '../../api/orders.ts';
import { me } from '../../api/session.ts';
import { buyFirst } from '../../api/sign-up.ts';
import { paths } from '../../paths.ts';

const languages = ['curl', 'TypeScript'] as const;
const WIDE = 640;

/** The new account: its key, and a first purchase with it. */
export function Opened({ secret }: { secret: string }) {
  return (
    <Door
      title="Your account is open"
      about="This is its sandbox key. Save it now: later you see it only in the samples of the API reference. You can always create another one."
      width={WIDE}
    >
      <CodeBlock text={secret} what="the key" />
      <FirstPurchase secret={secret} />
      <Group>
        <Button component={Link} to={paths.overview('sandbox')} variant="default">
          Open the panel
        </Button>
      </Group>
    </Door>
  );
}

/** The same call as the samples beside it, made by the page with the new key. */
function FirstPurchase({ secret }: { secret: string }) {
  const [language, setLanguage] = useState<(typeof languages)[number]>('curl');
  const base = useQuery(me).data?.addresses.sandbox;
  const plan = useQuery(examplePlan('sandbox')).data?.products[0];
  const fields = { product_id: plan?.id ?? '', idempotency_key: 'first-1' };
  const buy = useChange(() => buyFirst(secret, fields));
  if (base === undefined || plan === undefined) return null;
  const call = { verb: 'POST', url: `${base}/purchase/buy`, fields: Object.entries(fields), key: secret } as const;
  return (
    <Stack gap="sm">
      <div>
        <Title order={2}>Buy your first eSIM</Title>
        <Text size="sm" c="dimmed">
          “{plan.title}”, with test money. The button makes this call.
        </Text>
      </div>
      <Choice
        label="Language"
        options={languages.map((value) => ({ value, label: value }))}
        value={language}
        onChange={setLanguage}
      />
      <CodeBlock text={sampleOf(language, call)} what="the sample" />
      {buy.isSuccess ? (
        <Bought {...buy.data} />
      ) : (
        <Group>
          <Button onClick={() => buy.mutate(undefined)} loading={buy.isPending}>
            Buy it now
          </Button>
        </Group>
      )}
      <Problem error={buy.error} />
    </Stack>
  );
}

interface BoughtProps {
  status: number;
  body: string;
  said: { readonly id?: string; readonly delivery?: string };
}

function Bought({ status, body, said }: BoughtProps) {
  return (
    <Stack gap="xs" role="status">
      <Text size="sm" fw={500}>
        {said.delivery === 'delivered' ? 'Delivered.' : `The API answered with status ${status}.`}{' '}
        {said.id !== undefined && (
          <Anchor component={Link} to={paths.order('sandbox', said.id)} size="sm">
            Open order {said.id}
          </Anchor>
        )}
      </Text>
      <CodeBlock text={pretty(body)} what="the answer" />
    </Stack>
  );
}

const pretty = (text: string): string => JSON.stringify(JSON.parse(text), null, 2);
