import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

// The tests of the interface that use a library must use it as a reader would: without casts, workarounds or requests
// of their own. This file lists what they may import apart from the library.

type Written = { file: string; tests: RegExp; imports: RegExp; allowed: readonly string[]; refused: readonly RegExp[] };

const written: Record<string, Written> = {
  TypeScript: {
    file: 'e2e/sdks/interface.test.ts',
    tests: /^test\(/gm,
    imports: /^(?:import|export) [^;]*?from '([^']+)';$/gm,
    allowed: ['@jest/globals', '@posthorn/client', '@posthorn/testkit/wait-for', '../services-in-process.ts'],
    refused: [
      /\bas (?:unknown|any|never|string|number|[A-Z{(])/,
      /\bany\b/,
      /@ts-|biome-ignore/,
      /\w!(?=[.,;)\]])/,
      /\bfetch\b|\bimport\(|\brequire\(/,
    ],
  },
  Python: {
    file: 'sdks/python/tests/test_interface.py',
    tests: /^def test_/gm,
    imports: /^(?:from|import) ([\w.]+)/gm,
    allowed: ['__future__', 'itertools', 'time', 'collections.abc', 'typing', 'pytest', 'running', 'posthorn_client'],
    refused: [
      /\bcast\b(?! and no)/,
      /\bAny\b|\bobject\b/,
      /# *(?:type|pyright|mypy|noqa)/,
      /\b(?:getattr|setattr|__import__|__dict__)\b/,
      /\w\._\w/,
    ],
  },
  Go: {
    file: 'sdks/go/interface_test.go',
    tests: /^func Test/gm,
    imports: /^\t"([^"]+)"$/gm,
    allowed: [
      ...['context', 'encoding/json', 'errors', 'fmt', 'os', 'slices', 'strings', 'sync/atomic', 'testing', 'time'],
      'github.com/posthorn/posthorn-go',
    ],
    refused: [/\.\([*\w.[\]]+\)/, /\b(?:unsafe|reflect|http)\./, /json\.Unmarshal|\/\/go:|\/\/ *nolint/],
  },
};

/** Lines that would bypass the library. */
const DETOURS = {
  TypeScript: [
    'const config = endpoint.config as Config;',
    'const body = (await call()) as unknown;',
    'const read = (value: any) => value.id;',
    '// @ts-expect-error the library has no such field',
    'expect(endpoint.description!.length).toBe(1);',
    'await fetch(stack.api.url);',
    "import got from 'got';",
  ],
  Python: [
    'config = cast(Config, endpoint.config)',
    'def read(value: Any) -> str:',
    'posthorn.endpoints.create(uri=HOOK)  # type: ignore',
    'setattr(posthorn, "base_url", BASE_URL)',
    'posthorn.endpoints._transport.request("GET", "/")',
    'import httpx',
  ],
  Go: [
    'config := endpoint.Config.(map[string]any)',
    'reflect.ValueOf(client)',
    'http.Get(baseURL)',
    'json.Unmarshal(answer, &endpoint)',
    '\t"net/http"',
  ],
} as const;

function faultsOf(code: string, { imports, allowed, refused }: Written): string[] {
  const found = [...code.matchAll(imports)].map(([, name]) => String(name));
  const lines = code.split('\n').filter((line) => refused.some((one) => one.test(line)));
  return [...found.filter((name) => !allowed.includes(name)), ...lines.map((line) => line.trim())];
}

describe.each(Object.entries(written))('the tests of the interface in %s', (language, rules) => {
  const code = readFileSync(new URL(`../../${rules.file}`, import.meta.url), 'utf8');

  test('are at least ten, and use the library alone', () => {
    expect(code.match(rules.tests)?.length).toBeGreaterThanOrEqual(10);
    expect([...code.matchAll(rules.imports)].length).toBeGreaterThanOrEqual(3);
    expect(faultsOf(code, rules)).toEqual([]);
  });

  test.each(DETOURS[language as keyof typeof DETOURS])('may not have `%s`', (line) => {
    expect(faultsOf(`${code}\n${line}\n`, rules)).toHaveLength(1);
  });
});
