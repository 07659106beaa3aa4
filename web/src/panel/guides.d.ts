declare module '*.md' {
  export const guide: import('../../guides.ts').Guide;
}
