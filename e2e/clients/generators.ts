import { COPY_OPENAPI_GENERATOR, OAPI_CODEGEN, OPENAPI_GENERATOR } from './tools.ts';

/** A generated client: the commands that generate, compile and run it in a new folder. */
export type Generator = {
  name: string;
  /** The programs that it needs, apart from Node. */
  needs: string[];
  /** It takes minutes of CPU to compile, or is much like another one, so `CLIENTS=quick` leaves it out. */
  slow?: true;
  /** The program that makes the calls, and its path in the folder. */
  program: [file: string, place: string];
  /** Other files, by their paths in the folder. */
  files?: Record<string, string>;
  /** A shell runs each command in the folder. `$SPEC` is the document. */
  commands: string[];
  /**
   * Commands that generate and compile a client of the whole document, docs/openapi.json, which an installation serves.
   */
  whole?: string[];
};

// Only the first of the JVM's compilers: in a run of seconds the second one costs half of the CPU, more than it saves.
const GENERATE = `java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar openapi-generator-cli-${OPENAPI_GENERATOR}.jar generate -i "$SPEC" -o client`;
const VENV = 'python3 -m venv venv';

const GENERATE_GO = [
  'mkdir posthorn',
  `go run ${OAPI_CODEGEN}/cmd/oapi-codegen@v2.8.2 -generate types,client -package posthorn -o posthorn/posthorn.go "$SPEC"`,
  'go mod tidy',
];
const GENERATE_JAVA = [COPY_OPENAPI_GENERATOR, `${GENERATE} -g java --library native`];

export const GENERATORS: Generator[] = [
  {
    name: 'openapi-typescript with openapi-fetch',
    needs: [],
    program: ['main.ts', 'main.ts'],
    files: { 'package.json': '{"type":"module","private":true}' },
    commands: [
      'npm install --no-audit --no-fund --silent openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@20.19.0',
      'node_modules/.bin/openapi-typescript "$SPEC" -o posthorn.ts',
      'node_modules/.bin/tsc --strict --noUncheckedIndexedAccess --module nodenext --target es2022 --skipLibCheck main.ts',
      'node main.js',
    ],
  },
  {
    name: '@hey-api/openapi-ts',
    needs: [],
    program: ['hey-api.ts', 'main.ts'],
    files: { 'package.json': '{"type":"module","private":true}' },
    commands: [
      'npm install --no-audit --no-fund --silent @hey-api/openapi-ts@0.99.0 typescript@5.9.3 tsx@4.20.6 @types/node@20.19.0',
      'node_modules/.bin/openapi-ts -i "$SPEC" -o posthorn -c @hey-api/client-fetch',
      'node_modules/.bin/tsc --strict --noUncheckedIndexedAccess --module preserve --target es2022 --noEmit --skipLibCheck main.ts',
      'node_modules/.bin/tsx main.ts',
    ],
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    program: ['oapi-codegen.go', 'main.go'],
    files: { 'go.mod': 'module clients\n\ngo 1.24\n' },
    commands: [...GENERATE_GO, 'go run .'],
    whole: [...GENERATE_GO, 'go build ./...'],
  },
  {
    name: 'openapi-generator java',
    needs: ['java', 'mvn'],
    program: ['Main.java', 'Main.java'],
    commands: [
      ...GENERATE_JAVA,
      'mv Main.java client/src/main/java/Main.java',
      'cd client && mvn -q -B -Dstyle.color=never compile dependency:build-classpath -Dmdep.outputFile=classpath',
      'cd client && java -cp "target/classes:$(cat classpath)" Main',
    ],
    whole: [...GENERATE_JAVA, 'cd client && mvn -q -B -Dstyle.color=never compile'],
  },
  {
    name: 'openapi-generator go',
    needs: ['java', 'mvn', 'go'],
    program: ['openapi-generator.go', 'main.go'],
    files: { 'go.mod': 'module clients\n\ngo 1.24\n' },
    commands: [
      COPY_OPENAPI_GENERATOR,
      // Otherwise the method for the optional `payload` would have the name of the field `hasPayload`.
      `${GENERATE} -g go --name-mappings hasPayload=PayloadExists --additional-properties packageName=posthorn,withGoMod=false`,
      'rm -rf client/test && mv client posthorn && go mod tidy',
      'go run .',
    ],
  },
  {
    name: 'openapi-generator rust',
    needs: ['java', 'mvn', 'cargo'],
    slow: true,
    program: ['main.rs', 'main.rs'],
    commands: [
      COPY_OPENAPI_GENERATOR,
      `${GENERATE} -g rust`,
      'mv main.rs client/src/main.rs',
      'cd client && cargo add --quiet tokio --features macros,rt-multi-thread && cargo run --quiet',
    ],
  },
  {
    name: 'openapi-generator python',
    needs: ['java', 'mvn', 'python3'],
    slow: true,
    program: ['openapi_generator.py', 'main.py'],
    commands: [
      COPY_OPENAPI_GENERATOR,
      // The generator's Python template writes invalid code for webhooks, so they are removed.
      `node -e 'const { webhooks, ...rest } = JSON.parse(fs.readFileSync(process.env.SPEC)); fs.writeFileSync("spec.json", JSON.stringify(rest))'`,
      `SPEC=spec.json; ${GENERATE} -g python`,
      VENV,
      'venv/bin/pip install --quiet --disable-pip-version-check ./client',
      'venv/bin/python -m compileall -q client/openapi_client',
      'venv/bin/python main.py',
    ],
  },
  {
    name: 'openapi-python-client',
    needs: ['python3'],
    program: ['openapi_python_client.py', 'main.py'],
    commands: [
      VENV,
      'venv/bin/pip install --quiet --disable-pip-version-check openapi-python-client==0.29.1 ruff==0.14.6',
      'PATH="$PWD/venv/bin:$PATH" venv/bin/openapi-python-client generate --path "$SPEC" --output-path posthorn --meta none --fail-on-warning',
      'venv/bin/python -m compileall -q posthorn',
      'venv/bin/python main.py',
    ],
  },
];
