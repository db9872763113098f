import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { preparePython, runPython } from '@posthorn/testkit/python-environment';
import { type Stack, startStack } from '@posthorn/testkit/stack';

// The tests of the Python library, which are written in Python.

const prepared = await preparePython();

if (prepared.kind === 'missing') {
  test.skip(`the Python library: ${prepared.what}`, () => undefined);
} else {
  const { python } = prepared;
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ settings: { RATE_LIMIT_MANAGEMENT: '0' } });
  }, 90_000);
  afterAll(() => stack?.stop(), 60_000);

  // Most of the cases wait most of the time: for a pause before a retry.
  test.each([
    ['does what the conformance cases say, with both clients', ['-n', '4', 'tests/test_conformance.py']],
    ['works against a running Posthorn and its Postgres, and as a package', ['--ignore=tests/test_conformance.py']],
  ])(
    'the Python library %s',
    async (_name, chosen) => {
      const variables = {
        PYTHONPATH: 'src',
        POSTHORN_TEST_BASE_URL: stack.api.url,
        POSTHORN_TEST_TOKEN: stack.managementToken,
        POSTHORN_TEST_API_KEY: stack.apiKey,
        POSTHORN_TEST_ENVIRONMENT: stack.environmentId,
        POSTHORN_TEST_DATABASE_URL: stack.databaseUrl,
      };
      const args = ['-m', 'pytest', ...chosen];
      const { status, output } = await runPython(python, args, 110_000, variables);
      if (status !== 0) throw new Error(output);
      expect(output).toContain(' passed');
    },
    120_000,
  );

  test('the Python library is formatted, and ruff and pyright in its strict mode find nothing', async () => {
    expect(await runPython(python, ['-m', 'ruff', 'format', '--check', '--no-cache', '.'])).toMatchObject({
      status: 0,
    });
    expect(await runPython(python, ['-m', 'ruff', 'check', '--no-cache', '.'])).toMatchObject({ status: 0 });
    const checked = await runPython(python, ['-m', 'pyright', '--pythonpath', python], 110_000);
    expect(checked.output).toContain('0 errors');
  }, 120_000);
}
