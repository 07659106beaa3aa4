import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type AnswerOf, type BodyOf, get, post, postToRead } from '../../parts/server/calls.ts';

type BrandAnswer = AnswerOf<'GET /api/brand'>;
export type Brand = BrandAnswer['brand'];
export type Language = BrandAnswer['languages'][number];

export const brand = queryOptions({
  queryKey: ['brand'],
  queryFn: () => get('/api/brand'),
});

/** A brand as it is being edited. */
export type BrandDraft = Required<Omit<BodyOf<'POST /api/brand'>, 'logo'>> & Pick<BodyOf<'POST /api/brand'>, 'logo'>;

export const saveBrand = (draft: BrandDraft) => post('/api/brand', draft);

export type PreviewOptions = Pick<BodyOf<'POST /api/brand/preview'>, 'language' | 'state'>;

/**
 * The traveller's page as the server would render it. The previous preview stays until the next one has arrived. A new logo is not sent with every
 * keystroke: the server leaves its place empty, and the page fills it in.
 */
export const brandPreview = ({ logo, ...texts }: BrandDraft, options: PreviewOptions) =>
  queryOptions({
    queryKey: ['brand', 'preview', texts, logo, options],
    async queryFn() {
      const draft = { ...texts, ...options, logo: typeof logo === 'string' ? ('new' as const) : logo };
      const { html } = await postToRead('/api/brand/preview', draft);
      return {
        html: logo ? html.replace('src="data:image/png;base64,"', `src="data:image/png;base64,${logo}"`) : html,
      };
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
