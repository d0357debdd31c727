/** Where a page goes on, as JSON schemas hold it: a number that every `bigint` column takes. Opaque to whoever sends it back. */
export const CURSOR = '^\\d{1,18}$'
