import { fileEndpoint } from './file.ts';

export const invoicePdf = fileEndpoint(
  'pdf',
  'An invoice or credit note as a PDF',
  'The answer is the file, not JSON.',
);
