import { Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import go from '../../../../../examples/verify/verify.go?raw';
import php from '../../../../../examples/verify/verify.php?raw';
import python from '../../../../../examples/verify/verify.py?raw';
import ruby from '../../../../../examples/verify/verify.rb?raw';
import typescript from '../../../../../examples/verify/verify.ts?raw';
import { Choice } from '../../../parts/Choice.tsx';
import { CodeBlock } from '../../../parts/Copy.tsx';
import { Section } from '../../../parts/Section.tsx';

/** The files that the tests run. */
const snippets = { TypeScript: typescript, Python: python, PHP: php, Go: go, Ruby: ruby };
type Language = keyof typeof snippets;
const languages = Object.keys(snippets) as Language[];

/** How a receiver checks that a request is genuine, ready to paste. */
export function VerifySignatures() {
  const [language, setLanguage] = useState<Language>('TypeScript');
  const place = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === '#verify') place.current?.scrollIntoView();
  }, [hash]);
  return (
    <div ref={place} id="verify">
      <Section
        title="Verify signatures"
        about="Anyone can send requests to your URL. Before you act on one, check that it is signed with your secret and at most 5 minutes old."
      >
        <Stack gap="sm">
          <Choice
            label="Language"
            isSmall
            options={languages.map((value) => ({ value, label: value }))}
            value={language}
            onChange={setLanguage}
          />
          <CodeBlock text={snippets[language]} what={`the ${language} function`} />
          <Text size="xs" c="dimmed">
            X-Signature is “sha256=” followed by the HMAC-SHA256, in hex, of X-Webhook-Timestamp, a dot and the body as
            it arrived. Libraries for Standard Webhooks work, too: they read webhook-signature.
          </Text>
        </Stack>
      </Section>
    </div>
  );
}
