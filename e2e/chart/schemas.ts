import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';
import { SCHEMAS } from './tools.ts';

/** The fields that every object of Kubernetes has. The other fields are checked against the schema of its kind. */
export type KubernetesObject = { apiVersion: string; kind: string; metadata: { name: string } };

const VALIDATE = fileURLToPath(new URL('./validate-objects.mjs', import.meta.url));

/** The faults that the schemas of Kubernetes, KEDA and the Prometheus operator find: wrong types, values and fields. */
export function schemaFaults(objects: KubernetesObject[]): string[] {
  const input = objects.map((object) => ({ module: moduleOf(object), object }));
  const { stdout, stderr } = spawnSync(process.execPath, [VALIDATE, SCHEMAS], {
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
}

/**
 * Fields that no schema knows. The validators accept them, and so does the API of Kubernetes, where a misspelt field
 * has no effect. The packages' types refuse them in a literal.
 */
export function unknownFields(objects: KubernetesObject[]): string[] {
  const place = join(SCHEMAS, 'objects.ts');
  const lines = objects.map(
    (object, index) =>
      `export const object${index}: import('${moduleOf(object)}').I${object.kind} = ${JSON.stringify(object)};`,
  );
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => path === place || fileExists(path);
  host.getSourceFile = (path, ...rest) =>
    path === place ? ts.createSourceFile(path, lines.join('\n'), ts.ScriptTarget.ES2023) : getSourceFile(path, ...rest);
  const program = ts.createProgram([place], options, host);
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const line = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
    const { kind, metadata } = objects[line] ?? { kind: 'the types', metadata: { name: '' } };
    return `${kind} ${metadata.name}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
  });
}

function moduleOf({ apiVersion, kind }: KubernetesObject): string {
  const [group = ''] = apiVersion.split('/');
  const packages: Record<string, string> = {
    'keda.sh': '@kubernetes-models/keda',
    'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  };
  return `${packages[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}
