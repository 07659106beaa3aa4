import { Button, FileButton, Group, Input, Text } from '@mantine/core';
import { useState } from 'react';
import type { BrandDraft } from '../../api/brand.ts';

const MAX_BYTES = 100 * 1024;

interface LogoFieldProps {
  hasSaved: boolean;
  draft: BrandDraft;
  onLogo: (logo: string | null) => void;
}

export function LogoField({ hasSaved, draft, onLogo }: LogoFieldProps) {
  const [problem, setProblem] = useState<string>();
  const hasLogo = draft.logo === undefined ? hasSaved : draft.logo !== null;
  const choose = async (file: File | null) => {
    if (!file) return;
    setProblem(file.size > MAX_BYTES ? 'The logo may have at most 100 kB.' : undefined);
    if (file.size <= MAX_BYTES) onLogo(await base64Of(file));
  };
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      description="PNG or WebP, at most 100 kB, made for a light background: dark screens show it on white."
      error={problem}
    >
      <Group gap="xs" mt={6}>
        <FileButton accept="image/png,image/webp" onChange={choose}>
          {(props) => (
            <Button variant="default" size="xs" {...props}>
              {hasLogo ? 'Replace logo' : 'Choose logo'}
            </Button>
          )}
        </FileButton>
        {hasLogo && (
          <Button variant="subtle" size="xs" onClick={() => onLogo(null)}>
            Remove logo
          </Button>
        )}
        {!hasLogo && (
          <Text size="sm" c="dimmed">
            Without one, the page shows your name.
          </Text>
        )}
      </Group>
    </Input.Wrapper>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
