import { Stack } from '@mantine/core';
import { useState } from 'react';
import { type Call, type Language, languages, sampleOf } from '../../../../../src/public/reference/samples.ts';
import { Choice } from '../../../parts/Choice.tsx';
import { CodeBlock } from '../../../parts/Copy.tsx';

/** The language the reader chose last, for as long as the tab is open. */
let chosen: Language = 'curl';

export function Samples({ call }: { call: Call }) {
  const [language, setLanguage] = useState(chosen);
  return (
    <Stack gap="xs">
      <Choice
        label="Language"
        options={languages.map((value) => ({ value, label: value }))}
        value={language}
        onChange={(value) => {
          chosen = value;
          setLanguage(chosen);
        }}
      />
      <CodeBlock text={sampleOf(language, call)} what="the sample" />
    </Stack>
  );
}
