import { type PosthornOptions, readOptions } from './options.ts';
import { Resources } from './resources.ts';
import { Transport } from './transport.ts';

/**
 * A client of one Posthorn. An API key sends events; a management token does everything else. Throws an OptionError for an
 * option that cannot be used.
 */
export class Posthorn extends Resources {
  constructor(options: PosthornOptions = {}) {
    super(new Transport(readOptions(options)));
  }
}
