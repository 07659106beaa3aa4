import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { BrandView, LanguageView } from '../../../../src/panel/brand.ts';
import { get, post, postToRead } from '../../parts/server/client.ts';

export type Brand = BrandView;

export type Language = LanguageView;

export const brand = queryOptions({
  queryKey: ['brand'],
  queryFn: () => get<{ brand: Brand; languages: Language[] }>('/api/brand'),
});

/** A brand as it is being edited. */
export interface BrandDraft {
  readonly display_name: string;
  readonly color: string;
  readonly support_url: string;
  readonly refill_url: string;
  /** A new file in base64; null: none. Undefined: the one that was saved. */
  readonly logo?: string | null | undefined;
}

export const saveBrand = (draft: BrandDraft) => post<{ brand: Brand }>('/api/brand', draft);

export const previewStates = ['not_active', 'active', 'depleted', 'expired'] as const;
export interface PreviewOptions {
  readonly language: string;
  readonly state: (typeof previewStates)[number];
}

/** The page itself, as the server would write it. The last one stays until the next one is there. */
export const brandPreview = (draft: BrandDraft, options: PreviewOptions) =>
  queryOptions({
    queryKey: ['brand', 'preview', draft, options],
    queryFn: () => postToRead<{ html: string }>('/api/brand/preview', { ...draft, ...options }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
