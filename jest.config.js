// ESM mode, because got cannot be loaded as CommonJS; packages resolve to their source through the export condition.
// The environment, its conditions and the transformation are for files with `@isolated`; Node itself loads the others.
export default {
  testRunner: '<rootDir>/devstack/jest/run-file.cjs',
  injectGlobals: false,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@posthorn/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } }],
  },
  testMatch: ['<rootDir>/{packages,services,devstack,e2e,sdks}/**/*.test.ts', '<rootDir>/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.posthorn', '/dist/', '/bundle/'],
  testSequencer: '<rootDir>/devstack/test-sequencer.mjs',
  // A test may wait for several conditions, each up to 20 s (wait-for), and a hook for a process, up to 30 s.
  testTimeout: 60_000 * Number(process.env.TEST_PATIENCE ?? 1),
};
