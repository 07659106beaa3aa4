import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import { Done } from '../../../parts/Done.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useAction } from '../../api/actions.ts';
import { webhooksKey } from '../../api/service.ts';

/** Deletes stored bodies sooner than the job does. */
export function PruneBodies() {
  const prune = useAction('webhook prune', webhooksKey);
  const [day, setDay] = useState('');
  return (
    <Section
      title="Stored bodies"
      about="The bodies of deliveries are stored for 30 days, so that they can be sent again. You can delete them sooner, in both worlds."
    >
      <Stack gap="sm" align="flex-start">
        <ConfirmButton
          size="xs"
          label="Delete bodies"
          title="Delete the bodies of old deliveries?"
          word="delete"
          isReady={day !== ''}
          change={{ ...prune, mutateAsync: () => prune.mutateAsync({ before: `${day}T00:00:00Z` }) }}
          fields={
            <TextInput
              type="date"
              label="Created before this day (UTC)"
              value={day}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
          }
        >
          These deliveries stay in the log but can never be sent again. Deliveries still waiting to be sent keep their
          body.
        </ConfirmButton>
        {prune.data && (
          <Done key={prune.submittedAt}>
            <Text size="sm">{count(prune.data.pruned, 'body', 'bodies')} deleted.</Text>
          </Done>
        )}
      </Stack>
    </Section>
  );
}
