// Runs at the end of `npm run check`. Prints the lines of the product that were written by hand, by package and
// service, and the words of the documents. Tests, the test kit and generated files do not count. It never fails: the
// author of a change states what it adds.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const product = /^(?:packages\/(?!testkit\/)|services\/).*\.(?:tsx?|mjs|cjs|css|html|sql)$/;
const notCounted = /\.test\.tsx?$|\/test\/|\/queue\/contract\/|\/generated\//;

const files = execFileSync('git', ['ls-files', '-z', 'packages', 'services'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => product.test(file) && !notCounted.test(file));
const counts = new Map();
for (const file of files) {
  const room = file.split('/', 2).join('/');
  const lines = readFileSync(join(root, file), 'utf8').split('\n').length - 1;
  counts.set(room, (counts.get(room) ?? 0) + lines);
}
const sum = [...counts.values()].reduce((all, lines) => all + lines, 0);
const rows = [...counts].sort(([, a], [, b]) => b - a);
for (const [room, lines] of [...rows, ['product lines by hand', sum]]) {
  process.stdout.write(`${lines.toLocaleString('en').padStart(9)}  ${room}\n`);
}

// The budget is 85,000 words, with the code that pages show. The bars and rules of tables do not count.
const pages = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: root, encoding: 'utf8' }).split('\0');
const counted = /^(?:(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY|CHANGELOG)\.md|docs\/(?!reference\/).*\.md)$/;
const words = pages
  .filter((page) => counted.test(page))
  .flatMap((page) => readFileSync(join(root, page), 'utf8').split(/\s+/))
  .filter((word) => !/^[|:-]*$/.test(word)).length;
process.stdout.write(`${words.toLocaleString('en').padStart(9)}  words of documents by hand\n`);
