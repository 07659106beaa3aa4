import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guides } from './guides.ts';
import { mantineStyles } from './mantine-styles.ts';

/** For `npx vite web`: pages from Vite, the rest from a server that runs beside it. */
const panel = { target: 'http://localhost:4000', headers: { origin: 'http://localhost:4000' } };

export default defineConfig({
  plugins: [react(), guides(), mantineStyles()],
  build: {
    // The panel's content policy allows no data: scripts or fonts, and small files cost nothing over one connection.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Otherwise a shared file is named after every page that uses it.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // What every page needs, with the overview, in one file: on a slow line a request costs more than its bytes.
            { name: 'panel', tags: ['$initial'], priority: 1 },
            // What pages share, in a few files instead of one for each small component.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 30_000 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': panel, '/pay': panel, '/openapi.json': panel } },
});
