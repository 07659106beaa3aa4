import { acceptEncodingOf } from '../../../platform/http/compression.ts';
import type { FixedBody } from '../../../platform/http/fixed-body.ts';
import { REVALIDATED } from '../../../platform/http/headers.ts';
import { page, type SiteReply, type SiteRequest } from '../routes.ts';

/** A body as the client takes it: compressed if it can be, and not sent again to somebody who has it. */
export async function fixedReply(
  { request }: Pick<SiteRequest, 'request'>,
  type: string,
  file: FixedBody,
  headers: Readonly<Record<string, string>> = {},
): Promise<SiteReply> {
  const { bytes, etag, encoding } = await file.as(acceptEncodingOf(request));
  return page(200, `${type}; charset=utf-8`, bytes, {
    'cache-control': REVALIDATED,
    vary: 'accept-encoding',
    ...headers,
    etag,
    ...(encoding && { 'content-encoding': encoding }),
  });
}
