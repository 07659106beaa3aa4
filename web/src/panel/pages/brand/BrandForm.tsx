import { Button, Checkbox, ColorInput, Stack, TextInput } from '@mantine/core';
import { Done } from '../../../parts/Done.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { refusedAs } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { Allowed } from '../../Allowed.tsx';
import { type Brand, type BrandDraft, saveBrand } from '../../api/brand.ts';
import { LogoField } from './LogoField.tsx';

interface BrandFormProps {
  saved: Brand;
  draft: BrandDraft;
  onDraft: (draft: BrandDraft) => void;
}

export function BrandForm({ saved, draft, onDraft }: BrandFormProps) {
  const change = useChange(saveBrand, ['brand']);
  const name = refusedAs(change.error, 'invalid_name', 'name_too_long');
  const set = (part: Partial<BrandDraft>) => onDraft({ ...draft, ...part });
  const refusedLogo = refusedAs(change.error, 'invalid_logo', 'logo_too_large');
  return (
    <Section title="Your brand">
      <Form
        onSubmit={() => {
          // A new logo is sent once; from then on the saved one is kept.
          change.mutate(draft, { onSuccess: () => set({ logo: undefined }) });
        }}
      >
        <Stack>
          <TextInput
            label="Display name"
            description="The name travellers know you by."
            maxLength={60}
            error={name}
            value={draft.display_name}
            onChange={(event) => set({ display_name: event.currentTarget.value })}
          />
          <ColorInput
            label="Colour"
            description="Text on it becomes black or white, whichever reads better; links use a shade that is readable."
            placeholder="#0b5d7a"
            format="hex"
            withEyeDropper={false}
            value={draft.color}
            onChange={(color) => set({ color })}
          />
          <LogoField
            hasSaved={saved.has_logo}
            draft={draft}
            refusal={refusedLogo}
            onLogo={(logo) => {
              change.reset();
              set({ logo });
            }}
          />
          <TextInput
            label="Support link"
            description="Where travellers get help: a page (https://) or an email address (mailto:)."
            placeholder="https://help.example.com"
            maxLength={300}
            value={draft.support_url}
            onChange={(event) => set({ support_url: event.currentTarget.value })}
          />
          <TextInput
            label="Refill link"
            description="Where travellers buy more data from you: a page (https://). {iccid} in it becomes the number of their eSIM; without it, the number is added as ?iccid=. Pages show it for eSIMs that can be refilled."
            placeholder="https://shop.example.com/refill/{iccid}"
            maxLength={300}
            value={draft.refill_url}
            onChange={(event) => set({ refill_url: event.currentTarget.value })}
          />
          <Checkbox
            label="Travellers may replace an eSIM that never worked"
            description="Under “It doesn’t work”, the page then offers a new eSIM at once, free of charge, for one that was never used and was not seen outside the plan’s countries. Otherwise they ask you."
            checked={draft.allows_replacement}
            onChange={(event) => set({ allows_replacement: event.currentTarget.checked })}
          />
          {name === undefined && refusedLogo === undefined && <Problem error={change.error} />}
          {change.isSuccess && <Done key={change.submittedAt}>Saved. Pages show it from now on.</Done>}
          <Allowed to="change" cannot="change the traveller’s page">
            <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
              Save
            </Button>
          </Allowed>
        </Stack>
      </Form>
    </Section>
  );
}
