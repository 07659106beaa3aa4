import { Button, FileButton, Group, Input, Text } from '@mantine/core';
import { useState } from 'react';
import type { BrandDraft } from '../../api/brand.ts';

const MAX_BYTES = 100 * 1024;
const MAX_SIDE = 2_000;
const MAX_PIXELS = 1_000_000;

interface LogoFieldProps {
  hasSaved: boolean;
  draft: BrandDraft;
  /** Why the server refused the logo. */
  refusal: string | undefined;
  onLogo: (logo: string | null) => void;
}

export function LogoField({ hasSaved, draft, refusal, onLogo }: LogoFieldProps) {
  const [problem, setProblem] = useState<string>();
  const hasLogo = draft.logo === undefined ? hasSaved : draft.logo !== null;
  const choose = async (file: File | null) => {
    if (!file) return;
    const found = await problemOf(file);
    setProblem(found);
    if (found === undefined) onLogo(await base64Of(file));
  };
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      description="PNG or WebP, at most 100 kB and a million pixels (1000 × 1000), made for a light background: dark screens show it on white."
      error={problem ?? refusal}
    >
      <Group gap="xs" my={6}>
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

/** What the server would refuse it for. */
async function problemOf(file: File): Promise<string | undefined> {
  if (file.size > MAX_BYTES) return 'The logo may have at most 100 kB.';
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return 'This picture is damaged, or neither PNG nor WebP.';
  const { width, height } = picture;
  picture.close();
  if (width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS) return undefined;
  return `The logo has ${width} × ${height} pixels. It may have at most a million, and ${MAX_SIDE} on each side.`;
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
