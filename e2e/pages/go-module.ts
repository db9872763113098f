import { join } from 'node:path';
import { projectRoot } from './run-page.ts';

/** The `go.mod` of a program that uses the library of this repository. */
export const goModule = `module example.com/program

go 1.23

require github.com/posthorn/posthorn-go v0.0.0

replace github.com/posthorn/posthorn-go => ${join(projectRoot, 'sdks/go')}
`;
