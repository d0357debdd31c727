/** One file of a verified archive: the position of its bytes and their expected content. */
export interface Entry {
  /** As in the archive, not normalized; `Archive.find` handles NFC. */
  readonly path: string
  /** Its index in the directory, for messages. */
  readonly index: number
  readonly method: 'stored' | 'deflated'
  /** Offset of the first byte of data, not of the header. */
  readonly offset: number
  readonly compressedSize: number
  readonly size: number
  readonly crc32: number
}

/** A verified archive: its files, none of which overlap. */
export interface Archive {
  /** In order of offset, without folders. */
  readonly files: readonly Entry[]
  /** Returns the file with this path, in any Unicode normalization form. */
  find(path: string): Entry | undefined
}
