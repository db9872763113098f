// `npm run docs`: builds the documentation site from the Markdown files of this repository into docs/site/dist. The API
// serves it at /docs (services/api/src/web/documents.ts). `npm run docs -- --watch` also serves it on this machine and
// builds it again at each change.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import Eleventy from '@11ty/eleventy';
import highlight from '@11ty/eleventy-plugin-syntaxhighlight';
import { findDocuments, PROGRAMS, readNavigation, root } from './documents.mjs';
import { pageOf } from './layout.mjs';
import { teachMarkdown } from './markdown.mjs';
import { indexSections } from './search-index.mjs';

const site = dirname(fileURLToPath(import.meta.url));
const output = join(site, 'dist');
const WATCH_PORT = 8080;
const COMPRESSED = /\.(html|css|js|json)$/;

const documents = findDocuments();
const navigation = readNavigation(documents);
const sections = [];

rmSync(output, { recursive: true, force: true });
// Eleventy resolves its folders from the working directory.
process.chdir(site);
const eleventy = new Eleventy('.', 'dist', { quietMode: true, configPath: null, config: configure });
await eleventy.init();
if (process.argv.includes('--watch')) {
  await eleventy.watch();
  await eleventy.serve(WATCH_PORT);
} else {
  await eleventy.write();
  process.stdout.write(`${documents.size} documents in ${output}\n`);
}

function configure(config) {
  // An element that scrolls can be reached with the keyboard.
  config.addPlugin(highlight, { preAttributes: { tabindex: 0 } });
  config.amendLibrary('md', (markdown) => teachMarkdown(markdown, { documents, sections }));
  config.addTemplate('_includes/page.11ty.js', (data) => pageOf({ ...data, navigation }));
  for (const document of documents.values()) {
    config.addTemplate(`${document.source}`, readFileSync(join(root, document.source), 'utf8'), {
      document,
      layout: 'page.11ty.js',
      // Documents are plain Markdown: a `{{` in them is text.
      templateEngineOverride: 'md',
      permalink: `${document.address}.html`,
      eleventyExcludeFromCollections: true,
    });
    config.addWatchTarget(join(root, document.source));
  }
  config.addPassthroughCopy({
    assets: 'assets',
    [join(root, 'docs/images')]: 'images',
    [join(root, 'docs/benchmarks/*.svg')]: 'benchmarks',
    [fileURLToPath(import.meta.resolve('minisearch'))]: 'assets/minisearch.js',
  });
  config.on('eleventy.before', () => {
    sections.length = 0;
  });
  config.on('eleventy.after', ({ results }) => {
    writeFileSync(join(output, 'assets/search.json'), indexSections(sections));
    const assets = [
      'search.json',
      'site.js',
      'language-tabs.js',
      'search.js',
      'theme.js',
      'minisearch.js',
      'style.css',
    ];
    for (const folder of PROGRAMS) copyAsText(folder);
    for (const path of [...results.map((one) => one.outputPath), ...assets.map((name) => `dist/assets/${name}`)])
      if (COMPRESSED.test(path)) compress(join(site, path));
  });
}

/** Copies the programs of a folder as `.txt`, which a browser shows. It takes `.ts` for a video. */
function copyAsText(folder) {
  const copies = join(output, basename(folder));
  mkdirSync(copies, { recursive: true });
  for (const name of readdirSync(join(root, folder)))
    copyFileSync(join(root, folder, name), join(copies, `${name}.txt`));
}

/** Writes the compressed copies that the API answers with, beside the file. */
function compress(file) {
  const content = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(content));
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  );
}
