import { IconLock } from '../../parts/icons.ts';
import { sectionId } from '../../parts/Section.tsx';
import type { Place } from './SearchDialog.tsx';

/** Sections of a page, by their titles. */
export const sectionsOf = (page: { to: string; label: string }, titles: readonly string[], icon = IconLock): Place[] =>
  titles.map((label) => ({ to: `${page.to}#${sectionId(label)}`, label, icon, on: page.label }));

/** The sections on everybody's settings page. */
export const personalSettings = ['Passkeys', 'Two-step sign-in', 'Where you’re signed in', 'Password'] as const;
