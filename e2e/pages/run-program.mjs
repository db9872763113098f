// Runs a program of a how-to page from the standard input: `node run-program.mjs ts|python|go`. The program begins with
// the client of docs/how-to/send-an-event.md, and gets the ids that the commands of the page have set.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [language] = process.argv.slice(2);
const block = readFileSync(0, 'utf8');
const guide = readFileSync(join(root, 'docs/how-to/send-an-event.md'), 'utf8');
const [, client] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(guide);
const rest = block === client ? '' : block;
const ids = ['APPLICATION', 'ENDPOINT', 'EVENT_TYPE'];

const programs = {
  ts: {
    name: 'program.mjs',
    text: () => {
      // A program with its own imports needs no client.
      if (rest.startsWith('import ')) return rest;
      return `${client}\n${ids.map((id) => `const ${camel(id)}Id = process.env.${id}_ID;`).join('\n')}\n{\n${rest}}\n`;
    },
    command: (file) => [process.execPath, file],
  },
  python: {
    name: 'program.py',
    text: () =>
      `import os\n${client}\n${ids.map((id) => `${id.toLowerCase()}_id = os.environ.get("${id}_ID")`).join('\n')}\n${rest}`,
    command: (file) => [process.env.PROGRAM_PYTHON, file],
  },
  go: {
    name: 'main.go',
    text: () => goProgram(ids.map((id) => `var ${camel(id)}ID = os.Getenv("${id}_ID")`).join('\n')),
    command: (file) => ['go', 'run', file],
  },
};

// The folder is inside the project, so that Node finds the packages.
mkdirSync(join(root, '.test-results'), { recursive: true });
const folder = mkdtempSync(join(root, '.test-results/program-'));
try {
  const { name, text, command } = programs[language];
  writeFileSync(join(folder, name), text());
  writeFileSync(join(folder, 'go.mod'), process.env.PROGRAM_GO_MODULE ?? '');
  const [program, ...args] = command(name);
  const { status } = spawnSync(program, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function camel(name) {
  return name.toLowerCase().replace(/_./g, (part) => part[1].toUpperCase());
}

function goProgram(variables) {
  return `package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/posthorn/posthorn-go"
)

${variables}

// Each program uses some of these.
var _, _, _ = fmt.Sprint, time.Now, use

func use(...any) {}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
${client}
use(client)
${rest}
return nil
}
`;
}
