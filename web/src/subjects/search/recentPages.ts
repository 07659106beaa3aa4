import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { IconHistory } from '../../parts/icons.ts';
import { site } from '../../parts/site.ts';
import type { Place } from './SearchDialog.tsx';

/*
 * The pages somebody looked at last, for the palette. In memory only: they name orders and people, and end with the tab. The next person
 * to sign in in the same tab starts with none.
 */

const MOST = 5;
/** By then the page has set its title. */
const TITLED_MS = 800;

let owner: string | undefined;
let pages: readonly Pick<Place, 'to' | 'label'>[] = [];

/** Notes the page that is open, by the title it gives itself: "Order 1042 · Live". */
export function useRememberPage(email: string | undefined): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (email === undefined) return;
    const timer = setTimeout(() => {
      const parts = document.title.split(' · ').filter((part) => part !== site.name);
      const page = { to: pathname + window.location.search, label: parts.join(' · ') };
      const before = email === owner ? pages.filter(({ to }) => to !== page.to) : [];
      owner = email;
      pages = [page, ...before].slice(0, MOST);
    }, TITLED_MS);
    return () => clearTimeout(timer);
  }, [email, pathname]);
}

/** Newest first, without the one that is open. */
export function useRecentPages(email: string | undefined): readonly Place[] {
  const { pathname } = useLocation();
  if (email === undefined || email !== owner) return [];
  return pages
    .filter(({ to }) => to.split('?')[0] !== pathname)
    .map((page) => ({ ...page, icon: IconHistory, on: 'Recent' }));
}
