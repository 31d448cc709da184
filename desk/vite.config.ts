/** How the page of the desk is built: into `dist/desk`, without addresses of other machines and without inline code. */
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: resolve(import.meta.dirname, '../dist/desk'),
    emptyOutDir: true,
    // The strict policy of the page allows no data: scripts and no inlined ones.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // The page, and the one before it, which works without scripts.
    rolldownOptions: { input: ['index.html', 'door.html'].map((name) => resolve(import.meta.dirname, name)) },
  },
});
