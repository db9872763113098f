// `npm run screenshots`: takes the pictures of README and docs from the running instance, which `npm run demo` has filled.
import { findChromium } from './chromium.mjs';
import { prepare } from './prepare.mjs';
import { readArguments } from './read-arguments.mjs';

readArguments('usage: npm run screenshots\n\nTakes the pictures of README and docs from the running instance.\n');
await prepare({ projects: ['devstack'] });
process.env.CHROMIUM_PATH ??= findChromium() ?? '';
await import('./dist/screenshots.js');
