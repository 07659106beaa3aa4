import type { FixedBody } from '../../platform/http/fixed-body.ts';
import type { Base } from '../../worlds/base.ts';
import { cardFormNeeds } from '../site/pages/cards.ts';
import { guideRoutes, readGuides } from '../site/pages/guides.ts';
import { pageRoutes } from '../site/pages/pages.ts';
import type { SiteRoute } from '../site/routes.ts';
import { publicRoutes } from './public.ts';
import { readStatus } from './status.ts';

/** What browsers open: the guides and the public pages for everybody, then the panel and the console at every other address. */
export async function browserPages(base: Base, openapi: () => FixedBody): Promise<SiteRoute[]> {
  const { config, cardProvider, db, clock, log } = base;
  const guides = await readGuides(config);
  const panel = await pageRoutes(config.webDist, cardFormNeeds(cardProvider.cards?.name));
  const open = publicRoutes({
    config,
    openapi,
    guides,
    signUp: config.signUp === 'off' ? undefined : '/sign-up',
    panel,
    readStatus: (now) => readStatus(db, now),
    clock,
    log,
  });
  return [...guideRoutes(guides, config), ...open, panel];
}
