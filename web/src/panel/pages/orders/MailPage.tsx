import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Done } from '../../../parts/Done.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { brand, type Language } from '../../api/brand.ts';
import { me } from '../../api/session.ts';
import { mailLink, shareKey } from '../../api/share.ts';

/** Sends the link to an address that is typed; it is not kept. */
export function MailPage({ mode, orderId }: { mode: Mode; orderId: string }) {
  const own = useQuery(me).data?.member.email ?? '';
  const isSandbox = mode === 'sandbox';
  const [typed, setTyped] = useState('');
  const email = isSandbox ? own : typed;
  const [language, setLanguage] = useState<Language['code']>('en');
  const send = useChange(() => mailLink(mode, orderId, { email, language }), shareKey(mode, orderId));
  return (
    <>
      <FormDialog
        label="Send page by mail"
        title="Send the traveller’s page by mail"
        submitLabel="Send"
        isReady={email.trim() !== ''}
        change={send}
        onOpen={() => setTyped('')}
        onSubmit={() => send.mutateAsync(undefined)}
      >
        <Text size="sm">
          The mail has the link, and your name and support address from “Traveller’s page”; nothing else. Anyone with
          the link can install the eSIM.
        </Text>
        <TextInput
          label="Address"
          type="email"
          required
          withAsterisk={false}
          readOnly={isSandbox}
          description={
            isSandbox ? 'The sandbox mails only the address you sign in with.' : 'We delete the address with the mail.'
          }
          value={email}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Languages chosen={language} choose={setLanguage} />
      </FormDialog>
      {send.isSuccess && <Done key={send.submittedAt}>The mail is on its way.</Done>}
    </>
  );
}

/** Those of the page itself, read once the dialog is open. The page opens in the language of the traveller’s browser. */
function Languages({ chosen, choose }: { chosen: string; choose: (code: Language['code']) => void }) {
  const { languages = [] } = useQuery(brand).data ?? {};
  const known = languages.length > 0 ? languages : [{ code: 'en', name: 'English' }];
  return (
    <NativeSelect
      label="Language of the mail"
      data={known.map(({ code, name }) => ({ value: code, label: name }))}
      value={chosen}
      onChange={({ currentTarget }) => choose(currentTarget.value as Language['code'])}
    />
  );
}
