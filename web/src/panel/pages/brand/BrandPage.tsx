import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { type Brand, type BrandDraft, brand, type Language } from '../../api/brand.ts';
import { BrandForm } from './BrandForm.tsx';
import { Preview } from './Preview.tsx';

/** What travellers see of the partner. */
export function BrandPage() {
  const found = useQuery(brand);
  return (
    <Page
      title="Traveller’s page"
      about="Every eSIM has a page you can send to its traveller. Its link is on the order’s page, and in the API as share_url. Here you choose how it looks."
    >
      <Loaded query={found} lines={8}>
        {(data) => <Editor saved={data.brand} languages={data.languages} />}
      </Loaded>
    </Page>
  );
}

function Editor({ saved, languages }: { saved: Brand; languages: Language[] }) {
  const { display_name, color, support_url, refill_url, allows_replacement } = saved;
  const [draft, setDraft] = useState<BrandDraft>({
    display_name,
    color,
    support_url,
    refill_url,
    allows_replacement,
  });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <BrandForm saved={saved} draft={draft} onDraft={setDraft} />
      <Preview draft={draft} languages={languages} />
    </SimpleGrid>
  );
}
