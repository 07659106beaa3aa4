import { fileEndpoint } from './file.ts';

export const invoiceXml = fileEndpoint(
  'xml',
  'An invoice or credit note as XML for accounting software',
  'The answer is the file, not JSON: UBL 2.1, as EN 16931 wants it.',
);
