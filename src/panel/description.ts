import type { AnswerParts } from '../edge/answer.ts';
import { acceptEncodingOf } from '../http/compression.ts';
import { REVALIDATED } from '../http/headers.ts';
import { page, type SiteRoute } from '../site/routes.ts';

/** The API's description on the panel's own address, for its reference pages. It is public on every API host, too. */
export const descriptionRoutes = ({ openapi }: Pick<AnswerParts, 'openapi'>): SiteRoute[] => [
  {
    verb: 'GET',
    path: '/openapi.json',
    async handle({ request }) {
      const { bytes, etag, encoding } = await openapi.as(acceptEncodingOf(request));
      return page(200, 'application/json; charset=utf-8', bytes, {
        'cache-control': REVALIDATED,
        vary: 'accept-encoding',
        etag,
        ...(encoding && { 'content-encoding': encoding }),
      });
    },
  },
];
