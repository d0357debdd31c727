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
  valuesInOneTicket: 200_000,
  problemsInReport: 10_000,
} as const
