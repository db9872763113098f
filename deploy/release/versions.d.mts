export function placesOfVersion(root: string): [file: string, expression: RegExp][];
