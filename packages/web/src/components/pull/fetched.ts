/** The kind of an endpoint that programs fetch from: the portal offers it beside an address. */
export const FETCHED = 'pull' as const;
