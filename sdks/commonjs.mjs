// Builds the library in the current folder; `npm pack` runs this first. It makes ES modules, and CommonJS with its own
// types for `require`, Jest and TypeScript's older module resolution.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const compile = (...options) => execFileSync(process.execPath, [compiler, ...options], { stdio: 'inherit' });

compile('-b');
const how = ['--module', 'CommonJS', '--moduleResolution', 'Bundler', '--verbatimModuleSyntax', 'false'];
compile('--project', '.', ...how, '--composite', 'false', '--outDir', 'dist/commonjs');
// Without this manifest, Node would take the files for ES modules, as the manifest of the package says.
writeFileSync('dist/commonjs/package.json', '{ "type": "commonjs" }\n');
