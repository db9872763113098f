export function startOfProcess(pid: number): string | undefined;
export function isSameProcess(pid: number | undefined, start: string | undefined): boolean;
