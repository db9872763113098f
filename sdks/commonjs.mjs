// Builds the library of the folder in which it runs, as `npm pack` does before it packs: ES modules, and beside them CommonJS
// for `require`, Jest and TypeScript's older ways to find a module, with types of its own.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const compile = (...options) => execFileSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });

compile('-b');
const how = ['--module', 'CommonJS', '--moduleResolution', 'Bundler', '--verbatimModuleSyntax', 'false'];
compile('--project', '.', ...how, '--composite', 'false', '--outDir', 'dist/commonjs');
// The package's own manifest says that its files are ES modules.
writeFileSync('dist/commonjs/package.json', '{ "type": "commonjs" }\n');
