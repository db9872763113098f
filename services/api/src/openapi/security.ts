import type { JsonObject } from './json.ts';

const bearer = (bearerFormat: string, description: string) => ({
  type: 'http',
  scheme: 'bearer',
  bearerFormat,
  description,
});

/** The credentials, one kind for each interface (docs/interface.md, Credentials and interfaces). */
export const SECURITY_SCHEMES: JsonObject = {
  managementToken: bearer('phm_…', 'A management token of the workspace. The names in a requirement are its scopes.'),
  sessionToken: bearer('phs_…', 'The token of a login’s answer. The name in a requirement is the least role.'),
  portalToken: bearer('php_…', 'The token of a portal session. The name in a requirement is its capability.'),
  pullKey: bearer('phpl_…', 'A pull key of the endpoint in the path.'),
  apiKey: bearer('phk_…', 'An API key; it determines the environment.'),
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The API key, in a separate header.',
  },
};
