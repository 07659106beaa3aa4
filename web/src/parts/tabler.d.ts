/** Made by `web/icons.ts`. */
declare module 'tabler:*' {
  export const Icon: import('./drawn.tsx').Icon;
}
