/** Bits of the general-purpose flags. */
export const FLAGS = { encrypted: 0x0001, descriptor: 0x0008, strongEncryption: 0x0040, maskedHeaders: 0x2000 } as const

/** How hard deflate tried: of no concern to a reader, and not always the same in both headers. */
export const DEFLATE_LEVEL = 0x0006
const UTF8 = 0x0800
const KNOWN_FLAGS = DEFLATE_LEVEL | FLAGS.descriptor | UTF8
const ANY_ENCRYPTION = FLAGS.encrypted | FLAGS.strongEncryption | FLAGS.maskedHeaders

export const STORED = 0
const DEFLATED = 8

/** 6.3, the newest version of the format. The high byte is the system's, from writers that repeat "made by" here. */
const NEWEST_VERSION = 63

/** The rule that this way of packing breaks, or null. */
export function brokenPackingRule(versionNeeded: number, flags: number, method: number): string | null {
  if (flags & ANY_ENCRYPTION) return 'is encrypted'
  if (method !== STORED && method !== DEFLATED) return `method ${method} is neither stored nor deflate`
  if (flags & ~KNOWN_FLAGS) return `has flags that are not known (0x${(flags & ~KNOWN_FLAGS).toString(16)})`
  const version = versionNeeded & 0xff
  return version > NEWEST_VERSION ? `needs version ${version} of the format, which is not known` : null
}

const REGULAR_FILE = 0x8
const FOLDER = 0x4
const SYMBOLIC_LINK = 0xa
const DOS_VOLUME_LABEL = 0x08
const DOS_FOLDER = 0x10

/**
 * The rule that these attributes break, or null. Some readers take the Unix mode in the upper half only from archives
 * made on Unix, some from any: so it is judged in all.
 */
export function brokenKindRule(isFolder: boolean, externalAttributes: number): string | null {
  const type = externalAttributes >>> 28
  if (type === SYMBOLIC_LINK) return 'is a symbolic link'
  if (type !== 0 && type !== FOLDER && type !== REGULAR_FILE) return 'is a special file'
  if (externalAttributes & DOS_VOLUME_LABEL) return 'is a volume label'
  if (isFolder) return type === REGULAR_FILE ? 'is a folder by its name, a file by its attributes' : null
  return type === FOLDER || externalAttributes & DOS_FOLDER ? 'is a file by its name, a folder by its attributes' : null
}
