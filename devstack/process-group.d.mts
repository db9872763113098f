export const IN_OWN_GROUP: { detached: true } | { windowsHide: true };
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean;
