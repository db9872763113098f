import { expect, test } from '@jest/globals';
import { parseAllowedCidrs } from './address-rules.ts';
import type { VettedLookup } from './lookup.ts';
import { vetUrlAtSave } from './vet-url-at-save.ts';

const rules = parseAllowedCidrs('');
const public_: VettedLookup = { kind: 'ok', addresses: [{ address: '8.8.8.8', family: 4 }] };

test('a name with public addresses is accepted in its normalised form', async () => {
  const lookup = async () => public_;
  expect(await vetUrlAtSave('https://EXAMPLE.com./a b', { rules, lookup })).toEqual({
    kind: 'ok',
    url: 'https://example.com/a%20b',
    host: 'example.com',
  });
});

test('a name with a forbidden address is refused with a message that names no address', async () => {
  const lookup = async (): Promise<VettedLookup> => ({ kind: 'blocked', address: '10.11.12.13' });
  const vetted = await vetUrlAtSave('https://intranet.example/', { rules, lookup });
  expect(vetted).toEqual({
    kind: 'refused',
    reason: 'forbidden_address',
    rule: 'private_address',
    message: 'url must not point to a private or reserved address',
  });
});

test('a name that does not resolve yet is accepted', async () => {
  const lookup = async (): Promise<VettedLookup> => ({ kind: 'failed', code: 'ENOTFOUND' });
  expect(await vetUrlAtSave('https://later.example/', { rules, lookup })).toMatchObject({ kind: 'ok' });
});

test('a name whose server does not answer in time is accepted', async () => {
  const lookup = () => new Promise<VettedLookup>(() => undefined);
  expect(await vetUrlAtSave('https://slow.example/', { rules, lookup, budgetMs: 20 })).toMatchObject({ kind: 'ok' });
});

test.each(['http://example.com/', 'https://127.1/', 'https://localhost/', 'https://u:p@example.com/'])(
  '%s is refused without a look-up',
  async (text) => {
    const asked: string[] = [];
    const lookup = async (host: string) => {
      asked.push(host);
      return public_;
    };
    expect(await vetUrlAtSave(text, { rules, lookup })).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([]);
  },
);
