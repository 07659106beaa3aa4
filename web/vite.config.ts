import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compiledAtOnce } from './compiled-at-once.ts';
import { compressedFiles } from './compressed-files.ts';
import { descriptionPieces } from './description.ts';
import { guides } from './guides.ts';
import { icons } from './icons.ts';
import { mantineStyles } from './mantine-styles.ts';

/** For `npx vite web`: pages from Vite, the rest from a server that runs beside it. */
const panel = { target: 'http://localhost:4000', headers: { origin: 'http://localhost:4000' } };

/** One small file. Its name stays, because the pages that load it are written by the server. */
const reference = {
  input: join(import.meta.dirname, 'src/public/tryIt.ts'),
  output: { entryFileNames: 'site/try.js' },
};

/**
 * What the pages of the reference share with others. They open no dialogs and no menus, whose code is most of `library`; a test holds
 * them to their weight.
 */
const TEXT =
  /parts\/(Copy|useCopy)\.|panel\/api\/keys\.|overview\/Addresses\.|(pages|public)\/reference\/|components\/(Code|List|NativeSelect)\//;

/**
 * The partners' panel, the operators' console (`--mode console`) and what the public reference loads (`--mode public`) are built apart,
 * into one folder: each gets few files of its own, so growth of the console costs partners nothing.
 */
export default defineConfig(({ mode }) => ({
  plugins: [react(), guides(), icons(), mantineStyles(), descriptionPieces(), compiledAtOnce(), compressedFiles()],
  build: {
    emptyOutDir: mode === 'production',
    // The panel's content policy allows no data: scripts or fonts, and small files cost nothing over one connection.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions:
      mode === 'public'
        ? reference
        : {
            // Compressing takes longer than everything else, and is meant to.
            checks: { bundlerTimings: false },
            input: join(import.meta.dirname, mode === 'console' ? 'operator.html' : 'index.html'),
            output: {
              // Otherwise a shared file is named after every page that uses it.
              chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
              codeSplitting: {
                groups: [
                  // What every page needs, with the overview, in one file: on a slow line a request costs more than its bytes.
                  { name: mode === 'console' ? 'console' : 'panel', tags: ['$initial'], priority: 1 },
                  // What other pages share, in four files. Each imports only those above it: files that import each other cannot start.
                  // `door` is what the sign-in page needs, form fields included.
                  { name: 'door', test: /subjects\/sign-in\/(Door|SignInForm|AcceptLink)\.tsx/, priority: 1 },
                  // `text` is what the panel's pages to read need; the console has none.
                  ...(mode === 'console' ? [] : [{ name: 'text', test: TEXT, minShareCount: 2, priority: 1 }]),
                  { name: 'library', test: /node_modules/, minShareCount: 2 },
                  { name: 'shared', minShareCount: 2 },
                ],
              },
            },
          },
  },
  server: { proxy: { '/api': panel, '/operator/api': panel, '/pay': panel, '/openapi.json': panel } },
}));
