/** The two modes of the contract. A key has one, and with it a world: a schema, a database role and ports of its own. */
export type Mode = 'live' | 'sandbox';
