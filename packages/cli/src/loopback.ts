/** Whether a URL points to this machine by its text alone, whatever a name server says. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
