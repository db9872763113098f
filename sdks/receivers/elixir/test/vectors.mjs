// Prints the cases of sdks/conformance/signature.json as Elixir terms in base64, one on each line.
import { readFileSync } from 'node:fs';

const { cases, signs } = JSON.parse(
  readFileSync(new URL('../../../conformance/signature.json', import.meta.url), 'utf8'),
);
const term = (bytes) => `Base.decode64!("${Buffer.from(bytes).toString('base64')}")`;
const list = (items) => `[${items.join(', ')}]`;
const bytesOf = ({ text, repeat = 1, base64 }) =>
  base64 === undefined ? text.repeat(repeat) : Buffer.from(base64, 'base64');
const headersOf = (headers) =>
  Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `{${term(name)}, ${term(value)}}`),
  );

const terms = [
  ...cases.map(({ name, payload, headers, secrets, now, toleranceSeconds = 300, expect }) => {
    const expected = expect.reason ?? `${expect.id} ${expect.timestamp}`;
    const given = [term(bytesOf(payload)), list(headersOf(headers)), list(secrets.map(term)), now, toleranceSeconds];
    return [':verify', term(name), ...given, term(expected)];
  }),
  ...signs.map(({ name, payload, secret, id, timestamp, headers }) => {
    const expected = Object.entries(headers).map((header) => header.join(': '));
    return [':sign', term(name), term(bytesOf(payload)), term(secret), term(id), timestamp, term(expected.join('\n'))];
  }),
];
for (const one of terms) process.stdout.write(`${Buffer.from(`{${one.join(', ')}}`).toString('base64')}\n`);
