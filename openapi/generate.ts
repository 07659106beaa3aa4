import { writeFile } from 'node:fs/promises';
import { describedApi } from './document.ts';

const text = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** The description without the addresses of an installation: what is committed, and served with them (`src/entry/api/gates/description.ts`). */
export const openapiText = (): string => text(describedApi());

// `npm run openapi` writes the committed copy.
if (import.meta.main) await writeFile(new URL('../openapi.json', import.meta.url), openapiText());
