import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { preparePython, runPython } from '@posthorn/testkit/python-environment';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { type Stack, startStack } from '@posthorn/testkit/stack';

// Runs the tests of the Python library, which are written in Python.

const library = fileURLToPath(new URL('.', import.meta.url));
const SHOP = `from __future__ import annotations

from posthorn_client import Posthorn
from posthorn_client.models import Destination, KafkaDestination

def create(posthorn: Posthorn) -> None:
    kafka: KafkaDestination = {"brokers": ["kafka.example.com:9093"], "topic": "events"}
    posthorn.endpoints.create(type="kafka", config={"destination": kafka, "signature": "standard"})
    posthorn.endpoints.create(type="kafka", config={"destination": {"topic": "events"}})  # wrong
    posthorn.endpoints.create(config={"signature": {"scheme": "hmac", "header": "X-Signature"}})
    posthorn.endpoints.create(config={"signature": {"scheme": "hmac"}})  # wrong
    posthorn.endpoints.create(event_types=["order.*", {"name": "order.paid", "filter": {"total": 1}}])
    posthorn.endpoints.create(event_types=[{"filter": {"total": 1}}])  # wrong
    posthorn.endpoints.create(metadata={"level": 1, "note": None})
    posthorn.endpoints.create(metadata={"level": {}})  # wrong
    destination: Destination | None = posthorn.endpoints.get("ep_1").config.destination
    if destination is not None and "brokers" in destination:
        print(destination["brokers"][0].upper())
`;

const prepared = await preparePython();

if (prepared.kind === 'missing') {
  test.skip(`the Python library: ${prepared.what}`, () => undefined);
} else {
  const { python } = prepared;
  const place = mkdtempSync(join(tmpdir(), 'posthorn-python-'));
  // Each client of httpx reads every certificate authority that it trusts. The default list would take half of the CPU
  // time of these tests, so they trust only one.
  const authorities = join(place, 'ca.pem');
  let stack: Stack;
  beforeAll(async () => {
    writeFileSync(authorities, (await receiverCertificate('good')).caPem);
    stack = await startStack({ settings: { RATE_LIMIT_MANAGEMENT: '0' } });
  }, 90_000);
  afterAll(async () => {
    await stack?.stop();
    rmSync(place, { recursive: true });
  }, 60_000);

  // Four conformance cases run at a time, because most of their time is pauses before retries.
  test.each([
    ['does what the conformance cases say, with both clients', ['-n', '4', 'tests/test_conformance.py']],
    ['works against a running Posthorn and its Postgres, and as a package', ['--ignore=tests/test_conformance.py']],
  ])(
    'the Python library %s',
    async (_name, chosen) => {
      const variables = {
        PYTHONPATH: 'src',
        SSL_CERT_FILE: authorities,
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

  test('a strict type checker knows the forms of what an endpoint is given, and refuses any other', async () => {
    writeFileSync(join(place, 'shop.py'), SHOP);
    const settings = { typeCheckingMode: 'strict', pythonVersion: '3.9', extraPaths: [join(library, 'src')] };
    writeFileSync(join(place, 'pyrightconfig.json'), JSON.stringify(settings));
    const args = ['-m', 'pyright', '--outputjson', '--pythonpath', python, '-p', place];
    const { generalDiagnostics } = JSON.parse((await runPython(python, args, 110_000)).output) as {
      generalDiagnostics: { range: { start: { line: number } } }[];
    };
    const wrong = SHOP.split('\n').flatMap((line, n) => (line.endsWith('# wrong') ? [n] : []));
    expect(generalDiagnostics.map(({ range }) => range.start.line)).toEqual(wrong);
  }, 120_000);

  test('the Python library is formatted, and ruff and pyright in its strict mode find nothing', async () => {
    expect(await runPython(python, ['-m', 'ruff', 'format', '--check', '--no-cache', '.'])).toMatchObject({
      status: 0,
    });
    expect(await runPython(python, ['-m', 'ruff', 'check', '--no-cache', '.'])).toMatchObject({ status: 0 });
    const checked = await runPython(python, ['-m', 'pyright', '--pythonpath', python], 110_000);
    expect(checked.output).toContain('0 errors');
  }, 120_000);
}
