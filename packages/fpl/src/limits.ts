/** The contract's limits. 1 GB is 10^9 bytes, 1 MB is 10^6. */
export const LIMITS = {
  packageBytes: 5e9,
  files: 50_000,
  fileBytes: 100e6,
  allFilesBytes: 10e9,
  problemsInMessage: 20,
} as const

/** Our own bounds: far above any real package, and low enough to keep a hostile one within memory. */
export const BOUNDS = {
  /** Includes folders, which do not count as files. */
  entries: 100_000,
  /** Size of the archive's directory: 480 bytes for each of 50,000 files. A real one needs about 130. */
  directoryBytes: 24e6,
  manifestDepth: 64,
  /** A ticket with more than this is never parsed as a whole: it could take fifty times its size. */
  valuesParsedAtOnce: 200_000,
  bytesParsedAtOnce: 4e6,
  /** A job that imports or exports a ticket keeps all of it in memory, except for what long texts take. */
  valuesInTicket: 1_000_000,
  /** Beyond this, repeated names of the manifest's own fields are no longer detected; most of them are unknown anyway. */
  fieldNames: 200_000,
  fieldNameBytes: 16e6,
  problemsInReport: 10_000,
} as const
