import { sql } from '../../../src/platform/db/query/sql.ts';
import type { Base } from '../../../src/worlds/base.ts';
import { type Demo, seedDemo } from '../../../src/worlds/demo.ts';
import { freshDatabase } from '../database/postgres.ts';

/*
 * Filling a database as a first start does takes seconds, most of them for the catalog. So one is filled for the whole run, with what was
 * made beside it, and those who need such a database get a copy.
 */
const TEMPLATE = 'wayfare_demo';
/** What is sealed in a copy was sealed with it. */
export const DEMO_SECRET = 'de'.repeat(32);

type Kept = Omit<Demo, 'link' | 'operatorLink'> & { readonly token: string; readonly operatorToken: string };

/** `open` starts the program's parts on a database; they fill the first one. */
export function demoDatabase(open: (url: string) => Promise<Base>): Promise<{ url: string; drop(): Promise<void> }> {
  return freshDatabase({
    name: TEMPLATE,
    async fill(url) {
      await using base = await open(url);
      const demo = await seedDemo(base);
      if (!demo?.operatorLink) throw new Error('the database is not empty');
      const { link, operatorLink, ...more } = demo;
      const kept: Kept = { ...more, token: tokenOf(link), operatorToken: tokenOf(operatorLink) };
      await base.db.run(sql`create table public.demo as select ${JSON.stringify(kept)}::text as kept`);
    },
  });
}

const tokenOf = (link: string): string => new URL(link).hash.slice(1);

/** What was made in a copy, with links to this server. */
export async function keptDemo({ db, config }: Base): Promise<Demo> {
  const { kept } = await db.one<{ kept: string }>(sql`select kept from public.demo`);
  const { token, operatorToken, ...demo }: Kept = JSON.parse(kept);
  const link = (path: string, secret: string) => `${new URL(path, config.panelUrl).href}#${secret}`;
  return { ...demo, link: link('/welcome', token), operatorLink: link('/operator/welcome', operatorToken) };
}
