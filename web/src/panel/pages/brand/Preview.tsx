import { Select, SimpleGrid, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { styleNonce } from '../../../parts/styleNonce.ts';
import { type BrandDraft, brandPreview, type Language, type PreviewOptions } from '../../api/brand.ts';
import classes from './Preview.module.css';

const TYPING_MS = 300;

const states = [
  { value: 'not_active', label: 'Not installed yet' },
  { value: 'active', label: 'In use' },
  { value: 'depleted', label: 'Data used up' },
  { value: 'expired', label: 'Ended' },
] as const;

/** The traveller's page with a sample eSIM. The frame runs no scripts, and its links do nothing. */
export function Preview({ draft, languages }: { draft: BrandDraft; languages: readonly Language[] }) {
  const [shown, setShown] = useState<PreviewOptions>({ language: 'en', state: 'not_active' });
  const [settled] = useDebouncedValue(draft, TYPING_MS);
  const preview = useQuery(brandPreview(settled, shown));
  // While the input is not valid yet, the preview stays as it was.
  const last = useRef('');
  // The frame inherits this page's content policy, so its styles need this page's nonce.
  if (preview.data) last.current = preview.data.html.replaceAll('<style>', `<style nonce="${styleNonce}">`);
  return (
    <Section title="Preview" about="With a sample eSIM, on a phone. It follows the colour scheme of your browser.">
      <SimpleGrid mb="sm" spacing="md" verticalSpacing="xs" cols={{ base: 1, xs: 2 }}>
        <Select
          label="Language"
          data={languages.map(({ code, name }) => ({ value: code, label: name }))}
          value={shown.language}
          allowDeselect={false}
          onChange={(language) => setShown({ ...shown, language: (language ?? 'en') as PreviewOptions['language'] })}
        />
        <Select
          label="eSIM"
          data={states}
          value={shown.state}
          allowDeselect={false}
          onChange={(state) => setShown({ ...shown, state: (state ?? 'not_active') as PreviewOptions['state'] })}
        />
      </SimpleGrid>
      <Stack gap="sm">
        <Problem error={preview.error} />
        {last.current !== '' && (
          <iframe title="Preview of the traveller’s page" sandbox="" srcDoc={last.current} className={classes.phone} />
        )}
      </Stack>
    </Section>
  );
}
