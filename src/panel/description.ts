import type { AnswerParts } from '../edge/answer.ts';
import { fixedReply } from '../site/fixed-reply.ts';
import type { SiteRoute } from '../site/routes.ts';

/** The API's description on the panel's own address, for its reference pages. It is public on every API host, too. */
export const descriptionRoutes = ({ openapi }: Pick<AnswerParts, 'openapi'>): SiteRoute[] => [
  { verb: 'GET', path: '/openapi.json', handle: (incoming) => fixedReply(incoming, 'application/json', openapi) },
];
