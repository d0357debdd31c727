/** One file of a verified archive: where its bytes are, and what must come out of them. */
export interface Entry {
  /** As in the archive; NFC is up to `Archive.find`. */
  readonly path: string
  /** Its place in the directory, for messages. */
  readonly index: number
  readonly method: 'stored' | 'deflated'
  /** Of its first byte of data, not of its header. */
  readonly offset: number
  readonly compressedSize: number
  readonly size: number
  readonly crc32: number
}

/** What `verifyArchive` vouches for: the files of the archive, each at a place of its own. */
export interface Archive {
  /** In order of offset. Folders are not among them. */
  readonly files: readonly Entry[]
  /** The file of this path, written in whichever Unicode form. */
  find(path: string): Entry | undefined
}
