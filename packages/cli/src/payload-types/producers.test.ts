import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { preparePython, runPython } from '@posthorn/testkit/python-environment';
import type { EventShape } from './model.ts';
import { writeTypes } from './write-types.ts';

// Producers that use the types of `posthorn types`. e2e/sdks/package.test.ts tests those of TypeScript.

const sdks = fileURLToPath(new URL('../../../../sdks/', import.meta.url));
const SHAPES: EventShape[] = [
  {
    name: 'order.paid',
    schema: {
      type: 'object',
      required: ['id', 'total'],
      // The name of the method that the generated file adds.
      properties: { id: { type: 'string' }, total: { type: 'integer' }, posthornEventType: { type: 'string' } },
    },
  },
  { name: 'order.ids', schema: { type: 'array', items: { type: 'string' } } },
];

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'posthorn-typed-'));
});
afterAll(() => rmSync(place, { recursive: true }));

const prepared = await preparePython();

const PYTHON = `from posthorn_client import AsyncPosthorn, Posthorn

from events import order_ids_event, order_paid_event

def send(posthorn: Posthorn) -> None:
    posthorn.events.send(*order_paid_event({"id": "a", "total": 1}), application="ext:a")
    posthorn.events.send(*order_ids_event(["a"]), application="ext:a")
    posthorn.events.send(*order_paid_event({"id": "a"}), application="ext:a")  # wrong
    posthorn.events.send(*order_paid_event({"id": "a", "total": "1"}), application="ext:a")  # wrong
    posthorn.events.send(*order_ids_event([1]), application="ext:a")  # wrong

async def send_async(posthorn: AsyncPosthorn) -> None:
    await posthorn.events.send(*order_paid_event({"id": "a", "total": 1}), application="ext:a")
    await posthorn.events.send(*order_paid_event({"id": 1, "total": 1}), application="ext:a")  # wrong

assert order_paid_event({"id": "a", "total": 1}) == ("order.paid", {"id": "a", "total": 1})
`;

if (prepared.kind === 'missing') {
  test.skip(`producers in Python: ${prepared.what}`, () => undefined);
} else {
  const { python } = prepared;
  test('Python: a strict type checker takes the payload of an event type, and refuses any other', async () => {
    writeFileSync(join(place, 'events.py'), writeTypes('python', SHAPES));
    writeFileSync(join(place, 'shop.py'), PYTHON);
    const settings = { typeCheckingMode: 'strict', pythonVersion: '3.9', extraPaths: [join(sdks, 'python/src')] };
    writeFileSync(join(place, 'pyrightconfig.json'), JSON.stringify({ ...settings, include: ['.'] }));
    const args = ['-m', 'pyright', '--outputjson', '--pythonpath', python, '-p', place];
    const { generalDiagnostics } = JSON.parse((await runPython(python, args, 110_000)).output) as {
      generalDiagnostics: { file: string; range: { start: { line: number } } }[];
    };
    const lines = PYTHON.split('\n').flatMap((line, n) => (line.endsWith('# wrong') ? [n] : []));
    const found = generalDiagnostics.map(({ file, range }) => [file, range.start.line]);
    expect(found).toEqual(lines.map((line) => [join(place, 'shop.py'), line]));
    const ran = await runPython(python, [join(place, 'shop.py')], 20_000, { PYTHONPATH: 'src' });
    expect(ran).toEqual({ status: 0, output: '' });
  }, 120_000);
}

const GO = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"example.com/shop/events"
	"github.com/posthorn/posthorn-go"
)

func main() {
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		fmt.Println(request.URL.Path, string(body))
		io.WriteString(writer, \`{"id":"msg_1"}\`)
	}))
	defer server.Close()
	client, err := posthorn.New(posthorn.Options{BaseURL: server.URL, APIKey: "phk_1"})
	if err != nil {
		panic(err)
	}
	event := events.OrderPaid{ID: "a", Total: 1}
	_, err = client.Events.SendTyped(context.Background(), event, posthorn.WithApplication("ext:a"))
	if err != nil {
		panic(err)
	}
	_ = json.RawMessage{}
	// LINE
}
`;

const goVersion = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout ?? '';
const hasGo = Number(/^go1\.(\d+)/.exec(goVersion)?.[1] ?? 0) >= 23;

(hasGo ? test : test.skip)(
  'Go: a payload goes out under the name of its event type, and what is no such payload does not compile',
  () => {
    const folder = join(place, 'shop');
    spawnSync('mkdir', ['-p', join(folder, 'events')]);
    const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
    const module = 'github.com/posthorn/posthorn-go';
    write(
      'go.mod',
      `module example.com/shop\n\ngo 1.23\n\nrequire ${module} v0.0.0\n\nreplace ${module} => ${sdks}go\n`,
    );
    write('events/events.go', writeTypes('go', SHAPES));
    const go = (line: string) => {
      write('main.go', GO.replace('// LINE', line));
      const env = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local' };
      const { status, stdout, stderr } = spawnSync('go', ['run', '.'], { cwd: folder, env, encoding: 'utf8' });
      return { status, output: stdout + stderr };
    };
    expect(go('')).toEqual({ status: 0, output: '/api/ingest/event/order.paid {"id":"a","total":1}\n' });
    const send = (payload: string) => `client.Events.SendTyped(context.Background(), ${payload})`;
    expect(go(send('events.OrderPaid{ID: "a", Total: "1"}')).output).toContain('cannot use "1"');
    expect(go(send('map[string]int{"total": 1}')).output).toContain('missing method PosthornEventType');
  },
  120_000,
);
