// Finds the browser of the browser tests. It runs before packages are installed, so it may import only
// Node's own modules.
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';

// chromium-headless-shell comes first: without a user interface, Chromium takes a third less CPU.
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium: CHROMIUM_PATH, or a path where systems have it. Undefined if there is none. */
export function findChromium() {
  const given = process.env.CHROMIUM_PATH;
  return [...(given ? [given] : []), ...PLACES].find(isExecutable);
}

/** The number of tests in the files of a folder, counted in their text. All rows of a `test.each` count as one. */
export function countTests(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
  return files.reduce(
    (sum, file) => sum + (readFileSync(new URL(file, folder), 'utf8').match(/^ *test\b/gm)?.length ?? 0),
    0,
  );
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // Not there.
  }
}
