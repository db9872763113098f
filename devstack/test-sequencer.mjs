// The order of the test files. A long file that begins last leaves one worker alone at the end of the run, so the
// longest begin first. Jest's own order knows durations only on a machine that has run the tests before.
import { statSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * The files that take longest, longest first. The others follow by size, tests with whole processes before the rest.
 */
const LONGEST = [
  'e2e/clients/schemathesis.test.ts',
  'e2e/clients/clients.test.ts',
  'e2e/browser/portal.test.ts',
  'e2e/browser/dashboard.test.ts',
  'e2e/faults/short.test.ts',
  'e2e/how-to.test.ts',
  'e2e/image.test.ts',
  'e2e/browser/accessibility.test.ts',
  'e2e/browser/endpoint.test.ts',
  'e2e/browser/events.test.ts',
  'e2e/cli/commands.test.ts',
  'sdks/java/java.test.ts',
  'e2e/cli/workspace-file.test.ts',
  'e2e/browser/destinations.test.ts',
  'e2e/cli/listen.test.ts',
  'e2e/first-start.test.ts',
  'e2e/contract/hostile-input.test.ts',
  'sdks/python/python.test.ts',
  'e2e/fairness.test.ts',
  'e2e/drain.test.ts',
  'e2e/one-process-postgres.test.ts',
  'e2e/sdks/install.test.ts',
  'services/api/src/auth/interfaces.test.ts',
  'e2e/browser/account.test.ts',
  'e2e/contract/interface-pull.test.ts',
  'services/api/src/live/live.test.ts',
  'packages/queue/src/postgres/contract.test.ts',
  'e2e/clients/signatures.test.ts',
  'services/api/src/events/trace-property.test.ts',
  'services/api/src/account/oidc/oidc.test.ts',
  'e2e/probe.test.ts',
  'e2e/sdks/reference.test.ts',
  'e2e/browser/second-factor.test.ts',
  'e2e/browser/customer.test.ts',
  'e2e/canary.test.ts',
  'packages/destinations/src/kafka/send.test.ts',
  'e2e/browser/alerts.test.ts',
  'packages/transform/src/open-transformer.test.ts',
  'e2e/browser/portal-languages.test.ts',
  'e2e/readme.test.ts',
  'packages/destinations/src/rabbitmq/send.test.ts',
  'packages/transform/src/limits.test.ts',
  'e2e/standby.test.ts',
  'e2e/browser/get-started.test.ts',
  'e2e/cli/import.test.ts',
  'packages/destinations/src/webhook/send.test.ts',
  'e2e/tracing.test.ts',
  'e2e/start.test.ts',
  'e2e/contract/interface-operations.test.ts',
  'e2e/contract/interface-order.test.ts',
  'services/dispatcher/src/fan-out/filters.test.ts',
  'e2e/receivers.test.ts',
  'e2e/contract/interface-rabbitmq.test.ts',
  'e2e/browser/docs-site.test.ts',
  'e2e/cli/profiles.test.ts',
  'e2e/stats.test.ts',
  'services/api/src/endpoints/probes.test.ts',
  'services/dispatcher/src/admission/lines.test.ts',
  'packages/queue/src/redis/consumer.test.ts',
];

export default class TestSequencer {
  sort(tests) {
    const rank = ({ path, context }) => {
      const file = relative(context.config.rootDir, path).replaceAll('\\', '/');
      const place = LONGEST.indexOf(file);
      if (place >= 0) return place;
      return LONGEST.length + (file.startsWith('e2e/') ? 0 : 1);
    };
    const keyed = tests.map((test) => ({ test, rank: rank(test), size: statSync(test.path).size }));
    return keyed.sort((a, b) => a.rank - b.rank || b.size - a.size).map(({ test }) => test);
  }

  shard(tests, { shardIndex, shardCount }) {
    return this.sort(tests).filter((_test, n) => n % shardCount === shardIndex - 1);
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
