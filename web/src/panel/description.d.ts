/** Made by `web/description.ts`. */
declare module 'description:outline' {
  export const description: import('../../../src/entry/public/reference/description.ts').Description;
}
declare module 'description:pieces' {
  type Piece = { readonly description: import('../../../src/entry/public/reference/description.ts').Description };
  export const pieces: Readonly<Record<string, () => Promise<Piece>>>;
}
