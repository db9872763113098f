import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript-api';

// The import rules of ARCHITECTURE.md, checked by machine. To add a rule, add a row with an example that it refuses.

const productPackages = [
  'contract',
  'crypto',
  'db',
  'destinations',
  'egress',
  'filter',
  'ingest',
  'json-schema',
  'ledger',
  'mail',
  'messages',
  'queue',
  'routing',
  'runtime',
  'search',
  'stats',
  'transform',
];

/** The packages that each room may import. A folder that is missing here is not in the plan and fails. */
const allowedImports: Record<string, readonly string[]> = {
  'packages/cli': ['client', 'runtime'],
  // It imports only the descriptions of the kinds of endpoints.
  'packages/contract': ['destinations', 'runtime'],
  'packages/crypto': [],
  'packages/db': [],
  'packages/destinations': ['egress', 'runtime'],
  'packages/egress': ['runtime'],
  'packages/filter': ['contract'],
  // It accepts events: the API from requests, the dispatcher from sources.
  'packages/ingest': [
    'contract',
    'crypto',
    'db',
    'filter',
    'json-schema',
    'ledger',
    'queue',
    'routing',
    'runtime',
    'search',
    'stats',
  ],
  'packages/json-schema': ['contract'],
  'packages/ledger': ['db', 'runtime'],
  // It writes mail: the API sends some, and the dispatcher's alerts are mailed, too.
  'packages/mail': ['contract', 'crypto', 'db'],
  // It builds requests: the dispatcher sends them, and consumers fetch them from the API.
  'packages/messages': ['contract', 'crypto', 'db', 'destinations', 'ledger', 'runtime', 'transform'],
  'packages/queue': ['crypto', 'db', 'runtime'],
  // It decides which endpoints get an event, when the event is accepted or at its fan-out.
  'packages/routing': ['db', 'filter', 'queue'],
  'packages/runtime': [],
  // It stores the values by which events are found, when events are accepted, and in operations for older ones.
  'packages/search': ['contract', 'crypto', 'db', 'filter'],
  'packages/stats': ['db', 'runtime'],
  // It runs the code of customers: in the dispatcher, and in the API for tests and consumers.
  'packages/transform': ['contract', 'runtime'],
  'packages/testkit': productPackages,
  // It runs in a browser. It knows the services only by the types that are generated from docs/openapi.json.
  'packages/web': [],
  'services/api': productPackages,
  'services/dispatcher': productPackages,
  // It runs both services in one process.
  'services/all': ['api', 'dispatcher', 'runtime'],
  devstack: [...productPackages, 'testkit'],
  bench: [...productPackages, 'testkit', 'client'],
  e2e: [...productPackages, 'testkit', 'api', 'dispatcher', 'all', 'client', 'web'],
};

/**
 * The kinds of endpoints. Each is a folder with a description; files beside the folders are shared by several kinds.
 */
const kinds = fileURLToPath(new URL('packages/destinations/src', import.meta.url));
const kindTypes = readdirSync(kinds).filter((name) => existsSync(`${kinds}/${name}/describe.ts`));

/** The modules that services export. */
const services =
  /^@posthorn\/(api\/(start-api|config|metrics)|dispatcher\/(start-dispatcher|config|timing)|all\/(start-all|config))$/;

const contractLibraries = ['zod', 'typeid-js', 'uuid'];
const vagueNames = /^(utils?|helpers?|common|lib|types|constants)$/;
const tests = /\.test\.tsx?$|^e2e\/|^services\/[^/]+\/test\/|^packages\/queue\/contract\//;
const toolFolders = /^(devstack|bench|packages\/testkit)\//;
const offProduct = new RegExp(`${tests.source}|${toolFolders.source}`);
const nowhere = /^$/;
/** The pages that show the queues of BullMQ, which only Redis has. They are loaded at the first login. */
const redisBoard = /^services\/dispatcher\/src\/bull-board\.ts$/;
/**
 * The names of the product and of its settings. A request to an endpoint may have the product's name,
 * in `user-agent: Posthorn/…`.
 */
const ourNames = new RegExp(`\\bPosthorn\\b(?!/)|\\b(${[...settingNames(), 'NODE_EXTRA_CA_CERTS'].join('|')})\\b`);

type Rule = {
  guarantee: string;
  /** Paths that are exempt from the rule. */
  except: RegExp;
  /** The numbers of the lines that break the rule. */
  finds: (source: Source) => number[];
  /** A path and a text that the rule refuses: it proves that the rule works. */
  refuses: [path: string, text: string];
};

const rules: Rule[] = [
  {
    guarantee: 'every file stands in a room of the plan',
    except: nowhere,
    finds: ({ path }) => (roomOf(path) in allowedImports ? [] : [1]),
    refuses: ['packages/extras/src/a.ts', ''],
  },
  {
    guarantee: 'a room imports only the packages that the plan allows it, a test also the testkit',
    except: nowhere,
    finds: (source) => importLines(source, (specifier) => !mayImport(source.path, specifier)),
    refuses: ['packages/queue/src/a.ts', `import { a } from '@posthorn/ledger/claim';`],
  },
  {
    guarantee: 'no service is imported, but by e2e and the role of both: what starts it, and its settings',
    except: nowhere,
    finds: (source) =>
      importLines(
        source,
        (specifier) =>
          /^@posthorn\/(api|dispatcher|all|devstack|bench)\b/.test(specifier) &&
          !(['e2e', 'services/all'].includes(roomOf(source.path)) && services.test(specifier)),
      ),
    refuses: ['services/api/src/a.test.ts', `import { a } from '@posthorn/dispatcher/send';`],
  },
  {
    guarantee: 'no product code imports the testkit',
    except: offProduct,
    finds: (source) => importLines(source, (specifier) => specifier.startsWith('@posthorn/testkit')),
    refuses: ['services/api/src/a.ts', `import { a } from '@posthorn/testkit/database';`],
  },
  {
    guarantee: 'no relative import leaves its room, but for a receiver of docs/receivers that a page shows as text',
    except: nowhere,
    finds: (source) =>
      importLines(
        source,
        (specifier) =>
          leavesRoom(source.path, specifier) && !(specifier.includes('/docs/receivers/') && specifier.endsWith('?raw')),
      ),
    refuses: ['services/api/src/a.ts', `export * from '../../dispatcher/src/send.ts';`],
  },
  {
    guarantee: 'the transport of the API knows no operation',
    except: new RegExp(`^(?!services/api/src/transport/)|${tests.source}`),
    finds: (source) => importLines(source, (specifier) => specifier.startsWith('../operation/')),
    refuses: ['services/api/src/transport/a.ts', `import type { Route } from '../operation/route.ts';`],
  },
  {
    guarantee: 'the dashboard and the portal do not import each other, and what both use imports neither',
    except: /^(?!packages\/web\/src\/)/,
    finds: (source) => importLines(source, (specifier) => crossesEntry(source.path, specifier)),
    refuses: ['packages/web/src/portal/pages/a.tsx', `import { A } from '../../dashboard/pages/a.tsx';`],
  },
  {
    // Customers know only the owner of the workspace. The texts of attempts and of the doctor also appear
    // in the portal.
    guarantee: 'what the portal can show names neither Posthorn nor a setting of it',
    except: new RegExp(
      `^(?!packages/web/src/(portal|components|client|theme)/|services/dispatcher/src/probe/|packages/destinations/)|${tests.source}`,
    ),
    finds: nodeLines((node) => isText(node) && ourNames.test(node.getText())),
    refuses: ['packages/web/src/components/a.tsx', 'const a = <p>Ask Posthorn.</p>;'],
  },
  {
    guarantee:
      'the contract imports only zod, typeid-js, uuid, what describes the kinds of endpoints, and how a URL is parsed',
    except: new RegExp(`^(?!packages/contract/)|${tests.source}`),
    finds: (source) =>
      importLines(
        source,
        (specifier) =>
          !specifier.startsWith('.') &&
          !contractLibraries.includes(libraryOf(specifier)) &&
          !/^@posthorn\/(destinations\/(examination|failure|kinds|source-kind)|runtime\/parse-url)$/.test(specifier),
      ),
    refuses: ['packages/contract/src/a.ts', `import { randomUUID } from 'node:crypto';`],
  },
  {
    guarantee: 'got is imported by the sender only',
    except: /^packages\/destinations\/src\/webhook\/send(\.test)?\.ts$|^bench\/src\/bare\//,
    finds: (source) => importLines(source, (specifier) => libraryOf(specifier) === 'got'),
    refuses: ['services/dispatcher/src/deliver/deliver.ts', `const got = await import('got');`],
  },
  {
    guarantee: 'a kind of endpoint is named in packages/destinations only; in the browser, by the pages for one kind',
    // `pubsub` is also a command of Redis.
    except: new RegExp(
      `^packages/destinations/src/|^packages/queue/src/redis/live\\.ts$|^packages/cli/src/listen/|^packages/web/src/(generated|components/pull|dashboard/pages/(endpoint|get-started))/|${offProduct.source}`,
    ),
    finds: nodeLines((node) => namesKind(node)),
    refuses: ['services/api/src/a.ts', `if (type === 'playground') a();`],
  },
  {
    guarantee: 'bullmq and ioredis are imported by packages/queue/src/redis and the Bull Board mount only',
    except: new RegExp(`^packages/queue/src/redis/|${redisBoard.source}|${offProduct.source}`),
    finds: (source) => importLines(source, (specifier) => ['bullmq', 'ioredis'].includes(libraryOf(specifier))),
    refuses: ['services/api/src/a.ts', `import type { Job } from 'bullmq';`],
  },
  {
    guarantee: 'openQueues chooses how the queues are kept: no other part of the product names the folder that does so',
    except: new RegExp(
      `^packages/queue/src/((redis|postgres)/|open-queues\\.ts$)|${redisBoard.source}|${offProduct.source}`,
    ),
    finds: (source) => importLines(source, (specifier) => /^(@posthorn\/queue|\.)\/(redis|postgres)\//.test(specifier)),
    refuses: ['services/api/src/a.ts', `import { createThrottle } from '@posthorn/queue/redis/throttle';`],
  },
  {
    guarantee: 'the bus alone listens and notifies: a commit with a message waits for the others',
    except: new RegExp(`^packages/queue/src/postgres/bus\\.ts$|${offProduct.source}`),
    finds: nodeLines((node) => isText(node) && /\bpg_notify\b|^[`'"](listen|notify) [$"]/i.test(node.getText())),
    refuses: ['packages/db/src/a.ts', `await db.query("select pg_notify('a', 'b')");`],
  },
  {
    guarantee: 'the environment is read by the config files, packages/runtime/src/env.ts and the command line only',
    except: new RegExp(
      `^services/[^/]+/src/config\\.ts$|^packages/runtime/src/env\\.ts$|^packages/cli/src/main\\.ts$|${offProduct.source}`,
    ),
    finds: nodeLines((node) => isMember(node, 'process', 'env') || /^(node:)?process$/.test(specifierOf(node) ?? '')),
    refuses: ['services/api/src/app.ts', `const port = process.env.PORT;`],
  },
  {
    guarantee:
      'the time is read by packages/runtime/src/clock.ts and, in the browser, by packages/web/src/clock.ts only',
    except: new RegExp(`^packages/(runtime|web)/src/clock\\.ts$|${offProduct.source}`),
    finds: nodeLines((node) => isMember(node, 'Date', 'now') || isCurrentDate(node)),
    refuses: ['packages/ledger/src/a.ts', `const now = new Date();`],
  },
  {
    guarantee:
      'URL.canParse is not asked: on Node 20 and 22 it refuses valid addresses (packages/runtime/src/parse-url.ts)',
    except: nowhere,
    finds: nodeLines((node) => isMember(node, 'URL', 'canParse')),
    refuses: ['packages/egress/src/a.ts', `const isUrl = URL.canParse(text);`],
  },
  {
    guarantee: 'no product code writes to the console',
    except: offProduct,
    finds: nodeLines((node) => isMember(node, 'console')),
    refuses: ['packages/db/src/a.ts', `console.warn('a');`],
  },
  {
    guarantee: 'a transaction is opened by packages/db/src/transaction.ts only, and by the test of the outbox',
    except: /^packages\/db\/src\/transaction\.ts$|^e2e\/sdks\/outbox\.test\.ts$/,
    finds: nodeLines((node) => isNamed(node, '$transaction')),
    refuses: ['services/api/src/a.ts', `await prisma.$transaction([]);`],
  },
  {
    guarantee:
      'a connection to Postgres is made by packages/db/src/session.ts only, which keeps it in UTC, and by the customer in the test of the outbox',
    except: /^packages\/db\/src\/session\.ts$|^e2e\/sdks\/outbox\.test\.ts$/,
    finds: nodeLines((node) => /^(pg|postgres)$/.test(specifierOf(node) ?? '') && !isTypeImport(node)),
    refuses: ['packages/testkit/src/a.ts', `import pg, { type Client } from 'pg';`],
  },
  {
    guarantee: 'no SQL is built from text; packages/ledger/src/statement.ts runs the files of packages/ledger/sql',
    except: /^packages\/ledger\/src\/statement\.ts$/,
    finds: nodeLines((node) => isNamed(node, '$queryRawUnsafe', '$executeRawUnsafe')),
    refuses: ['packages/db/src/a.ts', `await prisma.$queryRawUnsafe(sql);`],
  },
  {
    guarantee: 'a delivery is inserted by packages/ledger only',
    except: new RegExp(`^packages/ledger/|${offProduct.source}`),
    finds: nodeLines((node) => isTemplate(node) && /\binsert\s+into\s+"?delivery"?(?!\w)/i.test(node.getText())),
    refuses: [
      'services/api/src/a.ts',
      'await db.$executeRaw`with a as (select 1)\n  insert into delivery default values`;',
    ],
  },
  {
    guarantee: 'a delivery is created by packages/ledger only, whatever the way to write it',
    except: new RegExp(`^packages/ledger/|${offProduct.source}`),
    finds: nodeLines(
      (node) =>
        ts.isPropertyAccessExpression(node) && /\.delivery\s*\.\s*(create|upsert|update|delete)/.test(node.getText()),
    ),
    refuses: ['services/dispatcher/src/a.ts', `await db.delivery.createMany({ data });`],
  },
  {
    guarantee: 'no test mocks a module',
    except: nowhere,
    finds: nodeLines((node) => isMember(node, 'jest', 'mock', 'unstable_mockModule', 'doMock')),
    refuses: ['packages/db/src/a.test.ts', `jest.mock('./client.ts');`],
  },
  {
    guarantee: 'no test sleeps',
    except: new RegExp(`^(?!.*(${tests.source}))`),
    finds: nodeLines(isSleep),
    refuses: ['packages/db/src/a.test.ts', `await new Promise((resolve) => setTimeout(resolve, 100));`],
  },
  {
    guarantee: 'nothing is typed any',
    except: nowhere,
    finds: nodeLines((node) => node.kind === ts.SyntaxKind.AnyKeyword),
    refuses: ['packages/db/src/a.test.ts', `const a = {} as any;`],
  },
  {
    guarantee:
      'the only classes are errors, and those that Node or a library wants extended: messages, agents, a reader',
    except: offProduct,
    finds: nodeLines(
      (node) =>
        ts.isClassLike(node) &&
        !/\bextends (\w*Error|IncomingMessage|ServerResponse|Agent|Reader)\b/.test(node.getText()),
    ),
    refuses: ['services/api/src/a.ts', `export class EndpointService {}`],
  },
  {
    guarantee: 'exports are named',
    except: offProduct,
    finds: nodeLines(
      (node) =>
        ts.isExportAssignment(node) || (node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent)),
    ),
    refuses: ['services/api/src/a.ts', `export default function a() {}`],
  },
  {
    guarantee: 'no error is swallowed without a reason',
    except: nowhere,
    finds: nodeLines((node) => ts.isCatchClause(node) && /^\{\s*\}$/.test(node.block.getText())),
    refuses: ['services/api/src/a.ts', `try { a(); } catch {}`],
  },
  {
    guarantee: 'no index.ts only re-exports',
    except: /^(?!.*\/index\.tsx?$)/,
    finds: ({ tree }) => (tree.statements.every((node) => specifierOf(node) !== undefined) ? [1] : []),
    refuses: ['packages/db/src/index.ts', `export * from './client.ts';`],
  },
  {
    guarantee: 'no file or folder is a drawer (utils, helpers, common, lib, types, constants)',
    except: nowhere,
    finds: ({ path }) => (path.split('/').some((part) => vagueNames.test(part.replace(/\..*$/, ''))) ? [1] : []),
    refuses: ['packages/db/src/utils.ts', ''],
  },
  {
    guarantee: 'files and folders are named in kebab-case',
    except: nowhere,
    finds: ({ path }) => (/^([a-z0-9]+([-.][a-z0-9]+)*\/?)+$/.test(path) ? [] : [1]),
    refuses: ['packages/db/src/dbClient.ts', ''],
  },
  {
    guarantee: 'a file has at most 500 lines',
    // A catalogue is one file for each language.
    except: new RegExp(`^packages/web/src/language/catalogues/|${tests.source}`),
    finds: ({ text }) => (text.trimEnd().split('\n').length > 500 ? [501] : []),
    refuses: ['packages/db/src/a.ts', 'a;\n'.repeat(501)],
  },
];

describe('the import rules', () => {
  const sources = readSources();

  test.each(rules)('$guarantee', (rule) => {
    expect(faultsOf(rule, sources)).toEqual([]);
  });

  test('no files import one another in a circle', () => {
    expect(importCyclesOf(sources)).toEqual([]);
  });

  test('the sources were found, tests among them', () => {
    expect(sources.some(({ path }) => tests.test(path))).toBe(true);
  });
});

describe('the guard itself', () => {
  test.each(rules)('refuses what breaks: $guarantee', (rule) => {
    const [path, text] = rule.refuses;
    expect(faultsOf(rule, [toSource(path, text)])).toHaveLength(1);
  });

  test('says the file, the line and the rule', () => {
    const rule = rules.find(({ guarantee }) => guarantee === 'nothing is typed any');
    const source = toSource('packages/db/src/a.ts', `// any\nconst a: string = 'any';\nconst b: any = a;\n`);
    expect(rule && faultsOf(rule, [source])).toEqual(['packages/db/src/a.ts:3 breaks "nothing is typed any"']);
  });

  test('refuses a circle through packages and type imports', () => {
    const one = toSource('packages/db/src/one.ts', `import type { A } from './two.ts';`);
    const two = toSource('packages/db/src/two.ts', `export * from '@posthorn/db/one';`);
    expect(importCyclesOf([one, two])).toEqual([
      'packages/db/src/one.ts → packages/db/src/two.ts → packages/db/src/one.ts',
    ]);
  });

  test.each([
    ['packages/ledger/src/a.ts', `import { a } from '@posthorn/db/client';`],
    ['packages/ledger/src/a.test.ts', `import { a } from '@posthorn/testkit/database';`],
    ['packages/destinations/src/webhook/send.ts', `import got from 'got'; import { b } from './b.ts';`],
    ['packages/runtime/src/env.ts', `const a = process.env;`],
    ['packages/db/src/a.ts', `import type pg from 'pg';`],
    [
      'packages/web/src/components/a.ts',
      `import { a } from '@posthorn/web/a'; // Posthorn\nconst b = 'user-agent: Posthorn/1';`,
    ],
    ['packages/web/src/dashboard/a.ts', `const a = 'EGRESS_ALLOW_CIDRS of Posthorn';`],
    ['packages/ledger/src/next-state.ts', `const at = new Date(dueAt); // never Date.now()`],
    ['packages/db/src/a.ts', `try { a(); } catch { /* closed already */ }`],
    ['services/api/src/api-error.ts', `export class ApiError extends Error {}`],
  ])('lets through, in %s: %s', (path, text) => {
    expect(rules.flatMap((rule) => faultsOf(rule, [toSource(path, text)]))).toEqual([]);
  });
});

/** A file, the nodes of its tree, and its imports. Each rule reads them again, so the tree is walked only once. */
type Source = {
  path: string;
  text: string;
  tree: ts.SourceFile;
  nodes: readonly ts.Node[];
  imports: readonly { specifier: string; node: ts.Node }[];
};

function readSources(): Source[] {
  const root = fileURLToPath(new URL('.', import.meta.url));
  const visit = (folder: string): string[] =>
    readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
      if (/^(node_modules|dist|bundle|generated|results|\..*)$/.test(entry.name)) return [];
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return visit(path);
      return /\.tsx?$/.test(path) ? [path] : [];
    });
  const present = readdirSync(root).filter((name) => /^(packages|services|devstack|bench|e2e)$/.test(name));
  return present.flatMap(visit).map((path) => toSource(path, readFileSync(root + path, 'utf8')));
}

function toSource(path: string, text: string): Source {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const imports = nodes.flatMap((node) => {
    const specifier = specifierOf(node);
    return specifier === undefined ? [] : [{ specifier, node }];
  });
  return { path, text, tree, nodes, imports };
}

function faultsOf(rule: Rule, sources: Source[]): string[] {
  return sources
    .filter(({ path }) => !rule.except.test(path))
    .flatMap((source) => rule.finds(source).map((line) => `${source.path}:${line} breaks "${rule.guarantee}"`));
}

function nodeLines(matches: (node: ts.Node) => boolean): Rule['finds'] {
  return ({ tree, nodes }) => nodes.filter(matches).map((node) => lineOf(tree, node));
}

function importLines({ tree, imports }: Source, matches: (specifier: string) => boolean): number[] {
  return imports.filter(({ specifier }) => matches(specifier)).map(({ node }) => lineOf(tree, node));
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

/** The module that a node imports, in any form: import, export … from, import(…), require(…), import('…').T. */
function specifierOf(node: ts.Node): string | undefined {
  const named =
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && isImportCall(node.expression)
        ? node.arguments[0]
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : undefined;
  return named && ts.isStringLiteralLike(named) ? named.text : undefined;
}

function isImportCall(called: ts.Expression): boolean {
  return called.kind === ts.SyntaxKind.ImportKeyword || isNameOf(called, 'require');
}

function isTypeImport(node: ts.Node): boolean {
  return ts.isImportTypeNode(node) || (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly === true);
}

function isMember(node: ts.Node, object: string, ...members: string[]): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return isNameOf(node.expression, object) && (members.length === 0 || members.includes(node.name.text));
  }
  if (!ts.isElementAccessExpression(node) || !isNameOf(node.expression, object)) return false;
  const key = node.argumentExpression;
  return members.length === 0 || (ts.isStringLiteralLike(key) && members.includes(key.text));
}

function isNameOf(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

function isTemplate(node: ts.Node): boolean {
  return ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);
}

/**
 * Whether a node is one of the names, or a key in brackets with one. Other texts, such as keys of types, do not count.
 */
function isNamed(node: ts.Node, ...names: string[]): boolean {
  const key = ts.isElementAccessExpression(node) ? node.argumentExpression : node;
  if (key !== node && ts.isStringLiteralLike(key)) return names.includes(key.text);
  return ts.isIdentifier(node) && names.includes(node.text);
}

/** Types of endpoints that are also words of the product: no name is refused because it contains one of them. */
const WORDS = ['webhook', 'pull'];
function namesKind(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node)) return kindTypes.includes(node.text);
  return (
    ts.isIdentifier(node) && kindTypes.some((type) => !WORDS.includes(type) && node.text.toLowerCase().includes(type))
  );
}

/** Whether a node is a text or a part of one, but not the name of an imported file. */
function isText(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node)) return specifierOf(node.parent) === undefined;
  return ts.isJsxText(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

function settingNames(): string[] {
  const root = fileURLToPath(new URL('services/', import.meta.url));
  const texts = ['api', 'dispatcher'].map((service) => readFileSync(`${root}${service}/src/config.ts`, 'utf8'));
  return texts.flatMap((text) => [...text.matchAll(/^ {2}([A-Z]+(?:_[A-Z]+)+):/gm)].map(([, name = '']) => name));
}

function isCurrentDate(node: ts.Node): boolean {
  const called = ts.isNewExpression(node) || ts.isCallExpression(node);
  return called && isNameOf(node.expression, 'Date') && (node.arguments ?? []).length === 0;
}

function isSleep(node: ts.Node): boolean {
  if (!ts.isAwaitExpression(node)) return false;
  const awaited = node.expression;
  if (ts.isCallExpression(awaited)) return /^(setTimeout|sleep|delay)$/.test(awaited.expression.getText());
  return ts.isNewExpression(awaited) && /^new Promise\b[^;]*=> \{?\s*setTimeout\(/.test(awaited.getText());
}

function roomOf(path: string): string {
  return (/^(packages|services)\/[^/]+|^[^/]+/.exec(path) ?? [path])[0];
}

function libraryOf(specifier: string): string {
  return (/^@[^/]+\/[^/]+|^[^/]+/.exec(specifier) ?? [specifier])[0];
}

function mayImport(path: string, specifier: string): boolean {
  const [, target] = /^@posthorn\/([^/]+)/.exec(specifier) ?? [];
  if (target === undefined) return true;
  const room = roomOf(path);
  const allowed = [
    ...(allowedImports[room] ?? []),
    room.replace(/^packages\//, ''),
    ...(tests.test(path) ? ['testkit'] : []),
  ];
  return allowed.includes(target);
}

function leavesRoom(path: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) return false;
  return roomOf(posix.join(posix.dirname(path), specifier)) !== roomOf(path);
}

/** `dashboard` or `portal`, for a file of one of the two entries of packages/web. */
function entryOf(path: string): string | undefined {
  return /^packages\/web\/src\/(dashboard|portal)\//.exec(path)?.[1];
}

function crossesEntry(path: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) return false;
  const entry = entryOf(posix.join(posix.dirname(path), specifier));
  return entry !== undefined && entry !== entryOf(path);
}

function importCyclesOf(sources: Source[]): string[] {
  const imports = new Map(sources.map((source) => [source.path, importedFiles(source)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, way: string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) circles.push([...way.slice(start), path].join(' → '));
    if (start >= 0 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}

function importedFiles(source: Source): string[] {
  return source.imports.flatMap(({ specifier }) => {
    const [, name, file] = /^@posthorn\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
    if (name !== undefined) return [`packages/${name}/src/${file}.ts`];
    return specifier.startsWith('.') ? [posix.join(posix.dirname(source.path), specifier)] : [];
  });
}
