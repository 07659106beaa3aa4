import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guides } from './guides.ts';

/** For `npx vite web`: pages from Vite, the rest from a server that runs beside it. */
const panel = { target: 'http://localhost:4000', headers: { origin: 'http://localhost:4000' } };

export default defineConfig({
  plugins: [react(), guides()],
  build: {
    // The panel's content policy allows no data: scripts or fonts, and small files cost nothing over one connection.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
  },
  server: { proxy: { '/api': panel, '/pay': panel, '/openapi.json': panel } },
});
