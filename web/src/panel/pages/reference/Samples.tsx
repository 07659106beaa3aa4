import { Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { type Call, type Language, languages, sampleOf } from '../../../../../src/entry/public/reference/samples.ts';
import { Choice } from '../../../parts/Choice.tsx';
import { CodeBlock } from '../../../parts/Copy.tsx';

/** The language the reader chose last, here or in the public reference (`src/entry/public/document.ts`). */
const isLanguage = (text: string | undefined): text is Language => languages.some((one) => one === text);

export function Samples({ call }: { call: Call }) {
  const [language, setLanguage] = useLocalStorage<Language>({
    key: 'language',
    serialize: (chosen) => chosen,
    defaultValue: 'curl',
    getInitialValueInEffect: false,
    deserialize: (text) => (isLanguage(text) ? text : 'curl'),
  });
  return (
    <Stack gap="xs">
      <Choice
        label="Language"
        options={languages.map((value) => ({ value, label: value }))}
        value={language}
        onChange={setLanguage}
      />
      <CodeBlock text={sampleOf(language, call)} what="the sample" />
    </Stack>
  );
}
