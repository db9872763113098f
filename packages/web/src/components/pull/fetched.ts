/** The type of pull endpoints, from which programs fetch. The portal offers it beside an address. */
export const FETCHED = 'pull' as const;
