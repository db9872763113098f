import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeHomeFolder } from './home-folder.ts';
import { findLeftoverFolders, rootsFolder } from './postgres-place.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-home-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a home is made with the folders above it, for its owner only', () => {
  const home = join(folder, 'a/b');
  expect(makeHomeFolder(home)).toBe(join(home, 'logs'));
  expect(makeHomeFolder(home)).toBe(join(home, 'logs'));
  expect(statSync(home).mode & 0o777).toBe(0o700);
});

test('a home that cannot be made is one message that names the setting and the folder', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const homes = [join(file, 'home'), ...(process.platform === 'linux' ? ['/proc/posthorn', '/proc/posthorn/a/b'] : [])];
  for (const home of homes) expect(() => makeHomeFolder(home)).toThrow(`POSTHORN_HOME, the folder ${home}, cannot be`);
});

(process.getuid?.() === 0 ? test : test.skip)(
  'root does not begin an empty database in the home of another user, and leaves no file there',
  () => {
    const home = join(folder, 'home');
    mkdirSync(join(home, 'postgres'), { recursive: true });
    expect(() => makeHomeFolder(home)).toThrow(
      `${home}, cannot be used: it has the database of a user who is not root`,
    );
    expect(existsSync(join(home, 'logs'))).toBe(false);
    rmSync(join(home, 'postgres'), { recursive: true });
    symlinkSync(folder, join(home, 'postgres'));
    expect(makeHomeFolder(home)).toBe(join(home, 'logs'));
  },
);

test('data of a home that no longer exists is found, and no other', () => {
  const data = (name: string, home: string | undefined) => {
    makeHomeFolder(join(folder, 'base', name));
    if (home !== undefined) writeFileSync(join(folder, 'base', name, 'home'), home);
  };
  data('lives', folder);
  data('unknown', undefined);
  data('gone', '/no/such/home');
  expect(findLeftoverFolders(join(folder, 'base'))).toEqual([
    { folder: join(folder, 'base/gone'), home: '/no/such/home' },
  ]);
});

test('the data of a home in memory is in memory, and the data of another one is not', () => {
  expect(rootsFolder('/dev/shm/posthorn-test-1')).toMatch(/^\/dev\/shm\/posthorn\/\w+$/);
  expect(rootsFolder('/tmp/posthorn-test-1')).toMatch(/^\/var\/lib\/posthorn\/\w+$/);
});
