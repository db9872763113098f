import { type Row, required } from '../command.ts';
import { configurationFile, writeConfiguration } from '../configuration.ts';
import { CommandError, EXIT } from '../failure.ts';

export const profile: readonly Row[] = [
  {
    usage: 'list',
    summary: 'List the profiles of this machine; credentials are not shown',
    examples: ['posthorn profile list'],
    async run({ configuration, place, output }) {
      const profiles = Object.entries(configuration.profiles).map(([name, { base_url, workspace, environment }]) => ({
        name,
        inUse: name === place.profileName,
        baseUrl: base_url ?? null,
        workspace: workspace ?? null,
        environment: environment ?? null,
      }));
      await output.list(profiles, {
        name: (one) => one.name,
        'in use': (one) => (one.inUse ? 'yes' : ''),
        address: (one) => one.baseUrl,
        workspace: (one) => one.workspace,
        environment: (one) => one.environment,
      });
    },
  },
  {
    usage: 'use <name>',
    summary: 'Use a profile from now on; --workspace and --environment are kept in it',
    examples: ['posthorn profile use default'],
    async run({ terminal, configuration, output, options }, call) {
      const name = required(call, 0);
      const profile = configuration.profiles[name];
      if (profile === undefined) {
        throw new CommandError({
          exitCode: EXIT.notFound,
          code: 'not_found',
          message: `There is no profile ${name} in ${configurationFile(terminal)}`,
          next: `posthorn login --profile ${name}`,
        });
      }
      configuration.current = name;
      let removed = '';
      if (options.workspace !== undefined && options.workspace !== profile.workspace) {
        profile.workspace = options.workspace;
        // The key would send events to the former workspace, and another workspace may have an environment of this name.
        if (profile.api_key !== undefined) removed = '; its API key, which is of another workspace, was removed';
        delete profile.api_key;
        delete profile.environment;
      }
      if (options.environment !== undefined) profile.environment = options.environment;
      await writeConfiguration(terminal, configuration);
      output.note(`The profile ${name} is in use${removed}`);
    },
  },
];
