import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Done } from '../../../parts/Done.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useAction } from '../../api/actions.ts';
import { useMay } from '../../useMay.ts';
import { PreviewedChange } from './Preview.tsx';

/** The largest share of a margin that may leave the operator. */
export function Cap({ cap }: { cap: string }) {
  const mayChange = useMay()('money');
  const [typed, setTyped] = useState(String(Number(cap)));
  const [previewed, setPreviewed] = useState<string>();
  const save = useAction('pricing cap', ['prices']);
  return (
    <Section
      title="Cap"
      about="The most of a plan’s margin that a partner can get, discount and unused-data share together. No rule gives more."
    >
      {!mayChange ? (
        <Text fz="xxl" fw={600} className="num">
          {Number(cap)}%
        </Text>
      ) : (
        <Stack>
          <Form
            onSubmit={() => {
              setPreviewed(typed.trim());
            }}
          >
            <Group align="flex-end">
              <TextInput
                label="Cap in %"
                inputMode="decimal"
                autoComplete="off"
                value={typed}
                onChange={({ currentTarget }) => {
                  setTyped(currentTarget.value);
                  setPreviewed(undefined);
                }}
              />
              {previewed === undefined && (
                <Button type="submit" variant="default" disabled={typed.trim() === '' || Number(typed) === Number(cap)}>
                  Preview
                </Button>
              )}
            </Group>
          </Form>
          {previewed !== undefined && (
            <PreviewedChange
              input={{ cap: previewed }}
              save={{ ...save, mutate: () => save.mutate({ pct: previewed }) }}
              saveLabel="Save cap"
              onCancel={() => setPreviewed(undefined)}
            />
          )}
          {save.isSuccess && <Done>The cap is saved.</Done>}
        </Stack>
      )}
    </Section>
  );
}
