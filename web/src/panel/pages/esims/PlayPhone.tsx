import { Button, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { Done } from '../../../parts/Done.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { countries } from '../../../subjects/invoices/countries.ts';
import { playPhone } from '../../api/sandbox.ts';
import { profileWords } from './Phone.tsx';

const asItIs = { value: '', label: 'As it is' };
const states = [asItIs, ...Object.entries(profileWords).map(([value, [label]]) => ({ value, label }))];

/** In the sandbox there is no phone, so a form takes its place. */
export function PlayPhone({ iccid }: { iccid: string }) {
  const play = useChange(playPhone, ['sandbox']);
  return (
    <Section
      title="Play the phone"
      about="A test eSIM is on no phone. Decide here what its phone would report; the events follow. Empty fields stay as they are."
    >
      <Form
        onSubmit={(typed) => {
          const text = (name: string) => String(typed.get(name)).trim() || undefined;
          play.mutate({
            iccid,
            state: text('state'),
            country: text('country'),
            brand: text('brand'),
            model: text('model'),
          });
        }}
      >
        <Stack gap="sm" align="flex-start">
          <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} w="100%">
            <NativeSelect name="state" label="On the phone" data={states} />
            <NativeSelect name="country" label="Country" data={[asItIs, ...countries]} />
            <TextInput name="brand" label="Brand" placeholder="Apple" maxLength={100} />
            <TextInput name="model" label="Model" placeholder="iPhone 17" maxLength={100} />
          </SimpleGrid>
          <Button type="submit" loading={play.isPending}>
            Report this
          </Button>
          <Problem error={play.error} />
          {play.data && <Done>The phone has reported it.</Done>}
        </Stack>
      </Form>
    </Section>
  );
}
