import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { installOf } from '../../deploy/release/public-names.mjs';
import { digest } from './src/language/digest.ts';

const SERVICE = process.env.BASE_URL ?? 'http://127.0.0.1:3000';

// The dashboard (index.html) and the portal (portal.html), built into dist/, which the API serves.
export default defineConfig({
  plugins: [react(), shortCatalogues(), compressed(), portalPage()],
  // The API replaces this with a fresh nonce in each response, and its Content-Security-Policy names the same nonce.
  html: { cspNonce: '__CSP_NONCE__' },
  // Constants of components/install.tsx and of the dashboard's own-library.tsx.
  define: {
    INSTALL_OF_COMMAND_LINE: JSON.stringify(installOf('cli')),
    INSTALL_OF_LIBRARIES: JSON.stringify({
      TypeScript: installOf('client'),
      Python: installOf('python'),
      Go: installOf('go'),
      Java: installOf('java'),
    }),
  },
  build: {
    rolldownOptions: {
      input: ['index.html', 'portal.html'].map((page) => join(import.meta.dirname, page)),
      output: {
        // Puts the modules that every page needs into one file. Rolldown would make 20 files, which compress worse.
        codeSplitting: {
          groups: [
            { name: 'base', test: /src\/(theme\/app-provider|client\/query-client|language\/language)\.tsx?$/ },
            // Every page of the dashboard needs these modules: the router uses them to read the query of each address.
            { name: 'searches', test: /src\/dashboard\/(search-of|pages\/[\w/-]+-search|pages\/usage\/months)\.ts$/ },
          ],
        },
      },
    },
    assetsInlineLimit: 0,
    target: 'es2022',
    reportCompressedSize: false,
  },
  // `cd packages/web && npx --no -- vite`: pages from their source, data from a running service.
  server: { port: 5173, proxy: { '/api': SERVICE, '/readyz': SERVICE } },
});

/** Replaces the English texts in catalogues by digests. The texts would be a third of the portal's first page. */
function shortCatalogues() {
  return {
    name: 'posthorn-short-catalogues',
    apply: 'build',
    enforce: 'post',
    async transform(code, id) {
      if (!/\/language\/catalogues\/\w+\.ts$/.test(id)) return null;
      const { texts, events } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
      const short = Object.fromEntries(Object.entries(texts).map(([text, entry]) => [digest(text), entry]));
      return {
        code: `export const texts = ${JSON.stringify(short)}; export const events = ${JSON.stringify(events)}`,
        map: null,
      };
    },
  };
}

/** Writes a .gz and a .br file beside every asset, so that the API never compresses while it responds. */
function compressed() {
  let folder = '';
  return {
    name: 'posthorn-compressed',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir, config.build.assetsDir);
    },
    async closeBundle() {
      const files = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
      await Promise.all(files.map((name) => compress(join(folder, name))));
    },
  };
}

async function compress(file) {
  const content = await readFile(file);
  const brotli = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  };
  const [gz, br] = await Promise.all([
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
    promisify(brotliCompress)(content, brotli),
  ]);
  await Promise.all([writeFile(`${file}.gz`, gz), writeFile(`${file}.br`, br)]);
}

/** Makes the development server answer /portal/… with the portal's page, as the API does. */
function portalPage() {
  return {
    name: 'posthorn-portal-page',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        if (request.url.startsWith('/portal/')) request.url = '/portal.html';
        next();
      });
    },
  };
}
