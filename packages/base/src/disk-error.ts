/** What to do about an error of the disk, by its code. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free space, or write to another disk',
  EDQUOT: 'your quota on this disk is used up: free space, or write to another disk',
  EROFS: 'the disk is mounted read-only: write to another disk, or mount it for writing',
  EFBIG: 'the file is larger than this disk or this user may have: write to another disk',
  EIO: 'the disk reports a fault: check it (dmesg shows what happened), and write to another disk',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine: close programs, or raise fs.file-max',
  ENAMETOOLONG: 'the name is too long: choose a shorter one',
}
/** About one path, which the message names. */
const REMEDIES_OF_PATHS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not use it: choose another place, or change its permissions',
  EPERM: 'this user may not use it: choose another place, or change its owner',
  ENOENT: 'it does not exist: check the name, and create the folder',
  ENOTDIR: 'a part of this path is a file and not a folder: check the name',
  EISDIR: 'it is a folder: give the name of a file',
}

/** True for an error of the disk that another name in another folder of it would not avoid. */
export const isFaultOfDisk = (code: string): boolean => Object.hasOwn(REMEDIES, code)

/** What our files have at the end of their names until they are complete. */
const UNFINISHED = /\.(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|unfinished-\d{1,9}|partial)$/

/** Returns the sentence of an error of the disk, with what to do; of any other error, its message. */
export function describeDiskError(error: unknown): string {
  const { code = '', path, syscall, message = String(error) } = error as NodeJS.ErrnoException
  // Errors of ours may have such a code as their cause, and explain it better.
  if (syscall === undefined) return message
  const place = typeof path === 'string' ? `${path.replace(UNFINISHED, '')}: ` : ''
  const remedy = REMEDIES[code] ?? (place === '' ? undefined : REMEDIES_OF_PATHS[code])
  return remedy === undefined ? message : `${place}${remedy} (${code})`
}
