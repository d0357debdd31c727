/** Backups: one file with database, files and secrets of one moment. */
export { encryptTo, type Keys, type Recipients } from './encryption.ts'
export type { Summary } from './format.ts'
export { type FilesSource, makeBackup } from './make.ts'
export { openBackup } from './reader.ts'
export { checkRestorable, type FilesTarget, type Restored, restoreBackup } from './restore.ts'
export { verifyBackup } from './verify.ts'
