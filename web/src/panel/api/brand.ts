import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { BrandView, LanguageView } from '../../../../src/entry/panel/account/brand.ts';
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
  readonly allows_replacement: boolean;
  /** A new file in base64; null: none. Undefined: the one that was saved. */
  readonly logo?: string | null | undefined;
}

export const saveBrand = (draft: BrandDraft) => post<{ brand: Brand }>('/api/brand', draft);

export const previewStates = ['not_active', 'active', 'depleted', 'expired'] as const;
export interface PreviewOptions {
  readonly language: string;
  readonly state: (typeof previewStates)[number];
}

/**
 * The traveller's page as the server would render it. The previous preview stays until the next one has arrived. A new logo is not sent with every
 * keystroke: the server leaves its place empty, and the page fills it in.
 */
export const brandPreview = ({ logo, ...texts }: BrandDraft, options: PreviewOptions) =>
  queryOptions({
    queryKey: ['brand', 'preview', texts, logo, options],
    async queryFn() {
      const draft = { ...texts, ...options, logo: typeof logo === 'string' ? 'new' : logo };
      const { html } = await postToRead<{ html: string }>('/api/brand/preview', draft);
      return {
        html: logo ? html.replace('src="data:image/png;base64,"', `src="data:image/png;base64,${logo}"`) : html,
      };
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
