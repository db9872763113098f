// Loaded into each process of Jest (`node --import`): files of TypeScript can be imported as they are.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
